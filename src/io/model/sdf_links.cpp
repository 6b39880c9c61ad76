#ifdef SWEEPDYN_WITH_SDFORMAT

#include "sdf_reader.hpp"
#include "sweepdyn/spatial/rotation.hpp"

namespace sweepdyn::sdf_reader {

Pose<double> pose(const ignition::math::Pose3d& X)
{
    const auto& q = X.Rot();
    return {rotation_matrix(normalized(Quaternion<double>{q.W(), q.X(), q.Y(), q.Z()})), vector(X.Pos())};
}

const Element* named_child(const Element& parent, const char* kind, const std::string& name)
{
    for (const Element* child : children(parent, kind))
        if (child->Attribute("name") && child->Attribute("name") == name)
            return child;
    return nullptr;
}

bool report_errors(const sdf::Errors& errors, const Element& at, Report& report)
{
    for (const sdf::Error& error : errors)
        report.fault(at, error.Message());
    return !errors.empty();
}

namespace {

// Of a visual or collision; nothing when the model has no such shape.
std::optional<Shape> read_shape(const sdf::Geometry& geometry)
{
    Shape shape;
    switch (geometry.Type()) {
    case sdf::GeometryType::BOX: {
        const auto size = geometry.BoxShape()->Size();
        shape.kind = Shape::Kind::box, shape.size = {size.X(), size.Y(), size.Z()};
        return shape;
    }
    case sdf::GeometryType::SPHERE:
        shape.kind = Shape::Kind::sphere, shape.size = {geometry.SphereShape()->Radius()};
        return shape;
    case sdf::GeometryType::CYLINDER:
        shape.kind = Shape::Kind::cylinder;
        shape.size = {geometry.CylinderShape()->Radius(), geometry.CylinderShape()->Length()};
        return shape;
    case sdf::GeometryType::CAPSULE:
        shape.kind = Shape::Kind::capsule;
        shape.size = {geometry.CapsuleShape()->Radius(), geometry.CapsuleShape()->Length()};
        return shape;
    case sdf::GeometryType::MESH: {
        const auto scale = geometry.MeshShape()->Scale();
        shape.kind = Shape::Kind::mesh, shape.size = {scale.X(), scale.Y(), scale.Z()};
        shape.file = geometry.MeshShape()->Uri();
        return shape;
    }
    default: return std::nullopt;
    }
}

template <class Item>
void add_shape(const Item& item, const std::string& link, std::vector<Shape>& shapes, Report& report,
               const Element& at)
{
    ignition::math::Pose3d X;
    if (!item.Geom() || report_errors(item.SemanticPose().Resolve(X, link), at, report))
        return;
    std::optional<Shape> shape = read_shape(*item.Geom());
    if (!shape) {
        ++report.without_effect["shape that is no box, sphere, cylinder, capsule or mesh"];
        return;
    }
    shape->name = item.Name();
    shape->X_BS = pose(X);
    if constexpr (requires { item.Material(); })
        if (const sdf::Material* material = item.Material()) {
            const auto color = material->Diffuse();
            shape->color = {color.R(), color.G(), color.B(), color.A()};
        }
    shapes.push_back(std::move(*shape));
}

} // namespace

void read_links(Part& part, ModelBuilder& builder, Report& report)
{
    for (std::uint64_t i = 0; i < part.model->LinkCount(); ++i) {
        const sdf::Link& link = *part.model->LinkByIndex(i);
        const Element* found = named_child(*part.element, "link", link.Name());
        const Element& at = found ? *found : *part.element;
        ignition::math::Pose3d X;
        if (report_errors(link.SemanticPose().Resolve(X, "__model__"), at, report))
            continue;
        part.X_ML[link.Name()] = pose(X);
        Body body;
        body.name = part.prefix + link.Name();
        const auto& inertial = link.Inertial();
        const auto& J = inertial.MassMatrix();
        body.mass = J.Mass();
        const Pose<double> X_BC = pose(inertial.Pose());
        body.com = X_BC.p;
        body.inertia_com = rotate(X_BC.R, Sym3<double>{J.Ixx(), J.Ixy(), J.Ixz(), J.Iyy(), J.Iyz(), J.Izz()});
        if (!at.FirstChildElement("inertial"))
            report.doubt(at,
                         "there is no <inertial>, so it is SDF's own: 1 kg, and 1 kg m^2 about each axis");
        for (std::uint64_t k = 0; k < link.VisualCount(); ++k)
            add_shape(*link.VisualByIndex(k), link.Name(), body.visuals, report, at);
        for (std::uint64_t k = 0; k < link.CollisionCount(); ++k)
            add_shape(*link.CollisionByIndex(k), link.Name(), body.collisions, report, at);
        report.stands("body", body.name, at);
        builder.add_body(std::move(body));
    }
}

} // namespace sweepdyn::sdf_reader

#endif
