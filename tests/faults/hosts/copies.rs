// SPDX-License-Identifier: MIT
// A Rust program: four threads make 250 copies each.
use std::os::raw::{c_int, c_uint, c_ulong, c_void};
use std::ptr::{null, null_mut};

#[link(name = "OpenCL")]
extern "C" {
    fn clGetPlatformIDs(room: c_uint, ids: *mut *mut c_void, count: *mut c_uint) -> c_int;
    fn clGetDeviceIDs(platform: *mut c_void, kind: c_ulong, room: c_uint, ids: *mut *mut c_void,
                      count: *mut c_uint) -> c_int;
    fn clCreateContext(properties: *const c_void, count: c_uint, devices: *const *mut c_void,
                       notify: *const c_void, user: *mut c_void, status: *mut c_int)
                       -> *mut c_void;
    fn clCreateCommandQueue(context: *mut c_void, device: *mut c_void, properties: c_ulong,
                            status: *mut c_int) -> *mut c_void;
    fn clCreateBuffer(context: *mut c_void, flags: c_ulong, size: usize, host: *mut c_void,
                      status: *mut c_int) -> *mut c_void;
    fn clEnqueueWriteBuffer(queue: *mut c_void, buffer: *mut c_void, blocking: c_uint,
                            offset: usize, size: usize, from: *const u8, count: c_uint,
                            wait: *const c_void, event: *mut c_void) -> c_int;
}

fn copy(context: usize, device: usize) {
    let (mut status, data) = (0, [0u8; 16]);
    unsafe {
        let context = context as *mut c_void;
        let queue = clCreateCommandQueue(context, device as *mut c_void, 0, &mut status);
        let buffer = clCreateBuffer(context, 0, 16, null_mut(), &mut status);
        for _ in 0..250 {
            assert_eq!(clEnqueueWriteBuffer(queue, buffer, 1, 0, 16, data.as_ptr(), 0, null(),
                                            null_mut()), 0);
        }
    }
}

fn main() {
    let (mut platform, mut device, mut status) = (null_mut(), null_mut(), 0);
    let context = unsafe {
        assert_eq!(clGetPlatformIDs(1, &mut platform, null_mut()), 0);
        assert_eq!(clGetDeviceIDs(platform, 0xffffffff, 1, &mut device, null_mut()), 0);
        clCreateContext(null(), 1, &device, null(), null_mut(), &mut status) as usize
    };
    let device = device as usize;
    let threads: Vec<_> =
        (0..4).map(|_| std::thread::spawn(move || copy(context, device))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
    println!("1000 copies");
}
