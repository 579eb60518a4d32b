/**
 * Returns freed memory of the C allocator to the system, and whether it could. glibc returns by itself only what lies
 * at the end of its heap: after a start 24 MB of holes stay resident. Does nothing on a libc without `malloc_trim`.
 */
export const trimMalloc = async (): Promise<boolean> => {
  try {
    // Imported on use: the module is experimental, and older lines of Node lack it.
    const { dlopen } = await import('node:ffi')
    const { functions } = dlopen(null, { malloc_trim: { arguments: ['uint64'], return: 'int32' } })
    functions.malloc_trim(0n)
    return true
  } catch {
    return false
  }
}
