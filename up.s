00299a0 <void sweepdyn::update<double>(sweepdyn::Kinematics<double
	push   %r15
	lea    0x51c43(%rip),%r15        # 7b5ec <typeinfo name for sweep
	push   %r14
	mov    %rdi,%r14
	push   %r13
	mov    %rcx,%r13
	lea    0x518f2(%rip),%rcx        # 7b2ac <std::__detail::__to_cha
	push   %r12
	mov    %rsi,%r12
	mov    %r15,%rsi
	push   %rbp
	mov    %rdx,%rbp
	push   %rbx
	mov    %r8,%rbx
	mov    %rdx,%r8
	mov    $0x1,%edx
	sub    $0xc8,%rsp
	mov    0x78(%rdi),%r9
	sub    0x70(%rdi),%r9
	mov    $0x6,%edi
	sar    $0x3,%r9
	call   5c500 <sweepdyn::require_size(std::basic_string_view<char,
	mov    %rbx,%r8
	mov    $0x1,%edx
	mov    %r15,%rsi
	mov    0x90(%r14),%r9
	sub    0x88(%r14),%r9
	mov    $0x6,%edi
	lea    0x5189a(%rip),%rcx        # 7b2ae <std::__detail::__to_cha
	sar    $0x3,%r9
	call   5c500 <sweepdyn::require_size(std::basic_string_view<char,
	mov    0x100(%r14),%rax
	inc    %rax
	shl    $0x3,%rbp
	mov    %rax,0x100(%r14)
	mov    %rax,0x110(%r14)
	je     29a4a <void sweepdyn::update<double>(sweepdyn::Kinematics<
	mov    0x70(%r14),%rdi
	mov    %rbp,%rdx
	mov    %r12,%rsi
	call   22a0 <memmove@plt>
	shl    $0x3,%rbx
	je     29a62 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	mov    0x88(%r14),%rdi
	mov    %rbx,%rdx
	mov    %r13,%rsi
	call   22a0 <memmove@plt>
	mov    (%r14),%rdx
	mov    $0x228,%r8d
	xor    %r9d,%r9d
	mov    0x40(%rdx),%rax
	sub    0x38(%rdx),%rax
	sar    $0x2,%rax
	movslq %eax,%rsi
	mov    %rsi,(%rsp)
	test   %eax,%eax
	jle    2a1e4 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	mov    %r12,%rsi
	mov    %r13,%rax
	mov    %r8,%r12
	mov    %r9,%r13
	mov    %rsi,%r8
	mov    %rax,%r9
	jmp    29c0e <void sweepdyn::update<double>(sweepdyn::Kinematics<
	vmovdqu 0x1c8(%rbp),%xmm6
	vmovsd 0x1c8(%rbp),%xmm11
	vmovsd 0x1d0(%rbp),%xmm10
	vmovsd 0x1d8(%rbp),%xmm7
	vmovdqa %xmm6,0x30(%rsp)
	vmovdqu 0x1d8(%rbp),%xmm6
	vmovsd 0x1e0(%rbp),%xmm13
	vmovsd 0x1e8(%rbp),%xmm9
	vmovdqa %xmm6,0x40(%rsp)
	vmovdqu 0x1e8(%rbp),%xmm6
	vmovdqa %xmm6,0x50(%rsp)
	vmovsd 0x1f0(%rbp),%xmm6
	test   %r10,%r10
	js     2a168 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	mov    0x8(%rbx),%rax
	inc    %r13
	add    $0x228,%r12
	vmovsd (%r9,%rax,8),%xmm3
	vmulsd %xmm1,%xmm3,%xmm12
	vmulsd %xmm4,%xmm3,%xmm4
	vmulsd %xmm5,%xmm3,%xmm5
	vmulsd %xmm8,%xmm3,%xmm8
	vmulsd %xmm0,%xmm3,%xmm0
	vmulsd %xmm2,%xmm3,%xmm3
	vaddsd %xmm11,%xmm12,%xmm11
	vaddsd %xmm10,%xmm4,%xmm10
	vaddsd %xmm7,%xmm5,%xmm7
	vaddsd %xmm13,%xmm8,%xmm13
	vmulsd %xmm11,%xmm5,%xmm14
	vmovsd %xmm11,0x1c8(%rbx)
	vaddsd %xmm9,%xmm0,%xmm9
	vmulsd %xmm10,%xmm12,%xmm2
	vmovsd %xmm10,0x1d0(%rbx)
	vaddsd %xmm6,%xmm3,%xmm6
	vmulsd %xmm7,%xmm4,%xmm15
	vmovsd %xmm7,0x1d8(%rbx)
	vmovsd %xmm13,0x1e0(%rbx)
	vmovsd %xmm9,0x1e8(%rbx)
	vmulsd %xmm6,%xmm4,%xmm1
	vfmsub231sd %xmm7,%xmm12,%xmm14
	vmovsd %xmm6,0x1f0(%rbx)
	vfmsub231sd %xmm11,%xmm4,%xmm2
	vfmsub231sd %xmm10,%xmm5,%xmm15
	vfmsub231sd %xmm9,%xmm5,%xmm1
	vmovsd %xmm14,0x200(%rbx)
	vmulsd %xmm13,%xmm5,%xmm5
	vmovsd %xmm2,0x208(%rbx)
	vmovsd %xmm15,0x1f8(%rbx)
	vfmadd231sd %xmm10,%xmm3,%xmm1
	vfmsub132sd %xmm12,%xmm5,%xmm6
	vmulsd %xmm9,%xmm12,%xmm12
	vfnmadd231sd %xmm7,%xmm0,%xmm1
	vfmadd132sd %xmm8,%xmm6,%xmm7
	vfmsub132sd %xmm13,%xmm12,%xmm4
	vmovsd %xmm1,0x210(%rbx)
	vfnmadd132sd %xmm11,%xmm7,%xmm3
	vfmadd132sd %xmm11,%xmm4,%xmm0
	vmovsd %xmm3,0x218(%rbx)
	vfnmadd132sd %xmm10,%xmm0,%xmm8
	vmovsd %xmm8,0x220(%rbx)
	cmp    %r13,(%rsp)
	je     2a1e4 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	mov    0x10(%r14),%r15
	lea    (%r15,%r12,1),%rbx
	mov    (%rbx),%rax
	mov    0x28(%rbx),%r10
	lea    0x1(%rax),%rbp
	imul   $0x228,%rbp,%rbp
	add    %r15,%rbp
	test   %r10,%r10
	js     2a200 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	vmovsd (%r8,%r10,8),%xmm0
	vmovsd 0x516be(%rip),%xmm7        # 7b300 <std::__detail::__to_ch
	vandpd 0x51756(%rip),%xmm0,%xmm1        # 7b3a0 <std::__detail::_
	vcomisd %xmm1,%xmm7
	jbe    2a248 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	vmovsd 0x516ac(%rip),%xmm1        # 7b308 <std::__detail::__to_ch
	vmovsd 0x516bc(%rip),%xmm2        # 7b320 <std::__detail::__to_ch
	movabs $0x8000000000000000,%r11
	vmovsd 0x51562(%rip),%xmm5        # 7b1d8 <std::__detail::__to_ch
	vmovsd 0x514fa(%rip),%xmm6        # 7b178 <std::__detail::__to_ch
	vfmadd213sd 0x51689(%rip),%xmm0,%xmm1        # 7b310 <std::__deta
	vmovq  %xmm1,%rax
	vsubsd 0x5167c(%rip),%xmm1,%xmm1        # 7b310 <std::__detail::_
	vfnmadd231sd 0x5167b(%rip),%xmm1,%xmm0        # 7b318 <std::__det
	mov    %rax,%rdi
	and    $0x1,%edi
	vmovsd %xmm1,%xmm1,%xmm3
	vmovsd %xmm1,%xmm1,%xmm4
	neg    %rdi
	vfnmadd132sd %xmm2,%xmm0,%xmm3
	vsubsd %xmm3,%xmm0,%xmm0
	vfnmadd132sd %xmm1,%xmm0,%xmm2
	vmovsd 0x5169c(%rip),%xmm1        # 7b360 <std::__detail::__to_ch
	vmulsd %xmm3,%xmm3,%xmm0
	vfnmadd132sd 0x51657(%rip),%xmm2,%xmm4        # 7b328 <std::__det
	vmovsd 0x51657(%rip),%xmm2        # 7b330 <std::__detail::__to_ch
	vfmadd213sd 0x51686(%rip),%xmm0,%xmm1        # 7b368 <std::__deta
	vfmadd213sd 0x5164d(%rip),%xmm0,%xmm2        # 7b338 <std::__deta
	vfmadd213sd 0x5164c(%rip),%xmm0,%xmm2        # 7b340 <std::__deta
	vfmadd213sd 0x51673(%rip),%xmm0,%xmm1        # 7b370 <std::__deta
	vfmadd213sd 0x51642(%rip),%xmm0,%xmm2        # 7b348 <std::__deta
	vfmadd213sd 0x51669(%rip),%xmm0,%xmm1        # 7b378 <std::__deta
	vfmadd213sd 0x51638(%rip),%xmm0,%xmm2        # 7b350 <std::__deta
	vfmadd213sd 0x5165f(%rip),%xmm0,%xmm1        # 7b380 <std::__deta
	vfmadd213sd 0x5165e(%rip),%xmm0,%xmm1        # 7b388 <std::__deta
	vmovsd %xmm0,%xmm0,%xmm7
	vfmadd213sd 0x51621(%rip),%xmm0,%xmm2        # 7b358 <std::__deta
	vfnmadd132sd %xmm5,%xmm6,%xmm7
	vmulsd %xmm0,%xmm3,%xmm9
	vsubsd %xmm7,%xmm6,%xmm6
	vmulsd %xmm7,%xmm4,%xmm8
	vmulsd %xmm4,%xmm3,%xmm4
	vfnmadd132sd %xmm0,%xmm6,%xmm5
	vmulsd %xmm0,%xmm0,%xmm0
	vfmadd132sd %xmm9,%xmm8,%xmm2
	vfmsub132sd %xmm1,%xmm4,%xmm0
	vaddsd %xmm2,%xmm3,%xmm4
	vmovq  %xmm4,%rsi
	vaddsd %xmm0,%xmm5,%xmm5
	vaddsd %xmm7,%xmm5,%xmm5
	vmovq  %xmm5,%rcx
	mov    %rcx,%rdx
	xor    %rsi,%rdx
	and    %rdx,%rdi
	mov    %rax,%rdx
	inc    %rax
	shl    $0x3e,%rdx
	shl    $0x3e,%rax
	and    %r11,%rdx
	and    %r11,%rax
	xor    %rsi,%rdx
	xor    %rcx,%rax
	xor    %rdi,%rdx
	xor    %rdi,%rax
	vmovq  %rdx,%xmm7
	vmovq  %rax,%xmm1
	vmulsd 0x38(%rbx),%xmm1,%xmm8
	vmovsd 0x50(%rbx),%xmm6
	vmulsd 0x30(%rbx),%xmm1,%xmm0
	vmovsd 0x168(%rbp),%xmm15
	vmovsd 0x48(%rbx),%xmm5
	vmulsd 0x40(%rbx),%xmm1,%xmm9
	vmovsd 0x58(%rbx),%xmm4
	vmovsd 0x150(%rbp),%xmm14
	vmovsd 0x170(%rbp),%xmm13
	vmovsd 0x180(%rbp),%xmm2
	vfmadd231sd %xmm6,%xmm7,%xmm8
	vmovsd 0x158(%rbp),%xmm12
	vmovsd 0x178(%rbp),%xmm11
	vmulsd %xmm1,%xmm6,%xmm6
	vfmadd231sd %xmm7,%xmm5,%xmm0
	vfnmadd231sd 0x38(%rbx),%xmm7,%xmm6
	vfmadd231sd %xmm4,%xmm7,%xmm9
	vmulsd %xmm1,%xmm5,%xmm5
	vmulsd %xmm1,%xmm4,%xmm4
	vfnmadd231sd 0x30(%rbx),%xmm7,%xmm5
	vmulsd %xmm15,%xmm8,%xmm3
	vfnmadd231sd 0x40(%rbx),%xmm7,%xmm4
	vmovsd 0x68(%rbx),%xmm7
	vmulsd %xmm13,%xmm8,%xmm10
	vmulsd %xmm6,%xmm15,%xmm1
	vmulsd %xmm11,%xmm8,%xmm8
	vfmadd231sd %xmm14,%xmm0,%xmm3
	vfmadd231sd %xmm12,%xmm0,%xmm10
	vfmadd231sd %xmm5,%xmm14,%xmm1
	vfmadd231sd %xmm2,%xmm9,%xmm3
	vfmadd231sd %xmm4,%xmm2,%xmm1
	vmovsd %xmm3,0x60(%rsp)
	vmovsd 0x188(%rbp),%xmm3
	vfmadd231sd %xmm3,%xmm9,%xmm10
	vmovsd %xmm1,0x78(%rsp)
	vmulsd %xmm6,%xmm13,%xmm1
	vmulsd %xmm6,%xmm11,%xmm6
	vmovsd %xmm10,0x68(%rsp)
	vmovsd 0x160(%rbp),%xmm10
	vfmadd231sd %xmm5,%xmm12,%xmm1
	vfmadd132sd %xmm10,%xmm6,%xmm5
	vfmadd231sd %xmm10,%xmm0,%xmm8
	vmovsd 0x60(%rbx),%xmm6
	vmovsd 0x190(%rbp),%xmm0
	vfmadd231sd %xmm4,%xmm3,%xmm1
	vfmadd132sd %xmm0,%xmm5,%xmm4
	vmovsd 0x70(%rbx),%xmm5
	vfmadd132sd %xmm0,%xmm8,%xmm9
	vmovsd %xmm1,0x80(%rsp)
	vmulsd %xmm7,%xmm15,%xmm1
	vmovsd %xmm4,0x88(%rsp)
	vmulsd %xmm7,%xmm13,%xmm4
	vmulsd %xmm7,%xmm11,%xmm7
	vmovsd %xmm9,0x70(%rsp)
	vfmadd231sd %xmm6,%xmm14,%xmm1
	vfmadd231sd %xmm6,%xmm12,%xmm4
	vfmadd132sd %xmm10,%xmm7,%xmm6
	vmovsd 0x80(%rbx),%xmm7
	vmulsd %xmm7,%xmm15,%xmm15
	vmulsd %xmm7,%xmm13,%xmm13
	vfmadd231sd %xmm5,%xmm2,%xmm1
	vmulsd %xmm7,%xmm11,%xmm11
	vfmadd231sd %xmm5,%xmm3,%xmm4
	vfmadd132sd %xmm0,%xmm6,%xmm5
	vmovsd 0x78(%rbx),%xmm6
	vfmadd132sd %xmm6,%xmm15,%xmm14
	vmovsd %xmm1,0x90(%rsp)
	vfmadd132sd %xmm6,%xmm13,%xmm12
	vmovsd %xmm4,0x98(%rsp)
	vfmadd132sd %xmm6,%xmm11,%xmm10
	vmovsd %xmm5,0xa0(%rsp)
	vmovsd 0x88(%rbx),%xmm8
	vmovdqa 0x60(%rsp),%xmm7
	vmovdqa 0x80(%rsp),%xmm6
	mov    0x140(%rbx),%rax
	vfmadd132sd %xmm8,%xmm14,%xmm2
	vfmadd132sd %xmm8,%xmm12,%xmm3
	vaddsd 0x198(%rbp),%xmm2,%xmm2
	inc    %rax
	vfmadd132sd %xmm8,%xmm10,%xmm0
	vaddsd 0x1a0(%rbp),%xmm3,%xmm3
	imul   $0x228,%rax,%rax
	vaddsd 0x1a8(%rbp),%xmm0,%xmm0
	vmovdqu %xmm7,0x150(%rbx)
	vmovdqa 0x70(%rsp),%xmm7
	vmovdqu %xmm6,0x170(%rbx)
	vmovdqu %xmm7,0x160(%rbx)
	vmovdqa 0x90(%rsp),%xmm7
	vmovsd %xmm2,0xa8(%rsp)
	add    %rax,%r15
	mov    0x8(%rbx),%rax
	vmovdqa 0xa0(%rsp),%xmm6
	vmovdqu %xmm7,0x180(%rbx)
	vmovsd %xmm3,0xb0(%rsp)
	lea    (%rax,%rax,2),%rax
	vmovsd %xmm0,0xb8(%rsp)
	shl    $0x4,%rax
	add    0x28(%r14),%rax
	vmovdqa 0xb0(%rsp),%xmm7
	vmovdqu %xmm6,0x190(%rbx)
	vmovdqu %xmm7,0x1a0(%rbx)
	vsubsd 0x1a8(%r15),%xmm0,%xmm0
	vsubsd 0x198(%r15),%xmm2,%xmm2
	vsubsd 0x1a0(%r15),%xmm3,%xmm3
	vmovsd %xmm1,(%rax)
	vmovsd %xmm4,0x8(%rax)
	vmulsd %xmm0,%xmm4,%xmm8
	vmovsd %xmm5,0x10(%rax)
	vmulsd %xmm2,%xmm5,%xmm6
	vfmsub231sd %xmm3,%xmm5,%xmm8
	vmulsd %xmm3,%xmm1,%xmm3
	vfmsub132sd %xmm1,%xmm6,%xmm0
	vmovsd %xmm8,0x18(%rax)
	vfmsub132sd %xmm4,%xmm3,%xmm2
	vmovsd %xmm0,0x20(%rax)
	vmovsd %xmm2,0x28(%rax)
	cmpb   $0x0,0x148(%rbx)
	je     29aa0 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	mov    (%rbx),%rax
	mov    0x10(%r14),%rdx
	vmovdqu 0x1c8(%rbp),%xmm7
	inc    %rax
	mov    0x140(%rdx,%r12,1),%rsi
	imul   $0x228,%rax,%rax
	vmovdqa %xmm7,0x30(%rsp)
	vmovdqu 0x1d8(%rbp),%xmm7
	lea    0x1(%rsi),%rcx
	imul   $0x228,%rcx,%rcx
	vmovdqa %xmm7,0x40(%rsp)
	vmovdqu 0x1e8(%rbp),%xmm7
	mov    0x140(%rdx,%rax,1),%rax
	vmovdqa %xmm7,0x50(%rsp)
	inc    %rax
	imul   $0x228,%rax,%rax
	add    %rdx,%rax
	add    %rcx,%rdx
	vmovsd 0x198(%rdx),%xmm6
	vmovsd 0x1a0(%rdx),%xmm3
	vsubsd 0x198(%rax),%xmm6,%xmm6
	vsubsd 0x1a0(%rax),%xmm3,%xmm3
	vmovsd 0x1a8(%rdx),%xmm9
	vsubsd 0x1a8(%rax),%xmm9,%xmm9
	vmovsd %xmm6,0x1b0(%rbx)
	vmovsd %xmm6,%xmm6,%xmm12
	vmovsd %xmm9,0x1c0(%rbx)
	vmovsd %xmm9,%xmm9,%xmm13
	vmovsd %xmm3,0x1b8(%rbx)
	vmovsd 0x1d0(%rbp),%xmm10
	vfmadd213sd 0x1e0(%rbp),%xmm10,%xmm13
	vmovsd 0x1d8(%rbp),%xmm7
	vmovsd 0x1c8(%rbp),%xmm11
	vfmadd213sd 0x1e8(%rbp),%xmm7,%xmm12
	vfnmadd231sd %xmm7,%xmm3,%xmm13
	vfmadd213sd 0x1f0(%rbp),%xmm11,%xmm3
	vfnmadd132sd %xmm11,%xmm12,%xmm9
	vfnmadd132sd %xmm10,%xmm3,%xmm6
	test   %r10,%r10
	jns    29b03 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	mov    %r8,0x10(%rsp)
	sub    $0x30,%rsp
	mov    %r9,%rdx
	mov    %r13,%rsi
	vmovsd %xmm13,0x78(%rsp)
	mov    %r14,%rdi
	inc    %r13
	add    $0x228,%r12
	vmovsd %xmm9,0x80(%rsp)
	vmovsd %xmm6,0x88(%rsp)
	vmovdqa 0x60(%rsp),%xmm5
	mov    %r9,0x38(%rsp)
	vmovdqu %xmm5,(%rsp)
	vmovdqa 0x70(%rsp),%xmm5
	vmovdqu %xmm5,0x10(%rsp)
	vmovdqa 0x80(%rsp),%xmm5
	vmovdqu %xmm5,0x20(%rsp)
	call   16b60 <void sweepdyn::detail::move_any<double>(sweepdyn::K
	add    $0x30,%rsp
	mov    0x10(%rsp),%r8
	mov    0x8(%rsp),%r9
	cmp    %r13,(%rsp)
	jne    29c0e <void sweepdyn::update<double>(sweepdyn::Kinematics<
	add    $0xc8,%rsp
	pop    %rbx
	pop    %rbp
	pop    %r12
	pop    %r13
	pop    %r14
	pop    %r15
	ret
	cs nopw 0x0(%rax,%rax,1)
	mov    %r8,%rdx
	mov    %r13,%rsi
	mov    %r14,%rdi
	mov    %r9,0x10(%rsp)
	mov    %r8,0x8(%rsp)
	call   188b0 <void sweepdyn::detail::place_any<double>(sweepdyn::
	vxorpd %xmm2,%xmm2,%xmm2
	mov    0x28(%rbx),%r10
	mov    0x10(%rsp),%r9
	mov    0x8(%rsp),%r8
	vmovsd %xmm2,%xmm2,%xmm0
	vmovsd %xmm2,%xmm2,%xmm8
	vmovsd %xmm2,%xmm2,%xmm5
	vmovsd %xmm2,%xmm2,%xmm4
	vmovsd %xmm2,%xmm2,%xmm1
	jmp    2a059 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	nopl   0x0(%rax,%rax,1)
	lea    0x28(%rsp),%rdi
	lea    0x20(%rsp),%rsi
	mov    %r9,0x18(%rsp)
	mov    %r8,0x10(%rsp)
	mov    %r10,0x8(%rsp)
	call   2120 <sincos@plt>
	vmovsd 0x28(%rsp),%xmm7
	vmovsd 0x20(%rsp),%xmm1
	mov    0x8(%rsp),%r10
	mov    0x10(%rsp),%r8
	mov    0x18(%rsp),%r9
	jmp    29da8 <void sweepdyn::update<double>(sweepdyn::Kinematics<
	cs nopw 0x0(%rax,%rax,1)

