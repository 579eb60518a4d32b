/** A parameter of glibc's allocator: https://man7.org/linux/man-pages/man3/mallopt.3.html */
const mmapThreshold = -3
const mappedFrom = 128 * 1024

/**
 * Returns freed memory of the C allocator to the system, and whether it could. glibc returns by itself only what lies
 * at the end of its heap: after a start 24 MB of holes stay resident. Does nothing on a libc without `malloc_trim`.
 */
export const trimMalloc = (): Promise<boolean> =>
  withLibc(async ({ dlopen }) => {
    const { functions } = dlopen(null, { malloc_trim: { arguments: ['uint64'], return: 'int32' } })
    functions.malloc_trim(0n)
  })

/**
 * Lets every large block return to the system when it is freed, and returns whether it could. By itself glibc raises the
 * limit to the largest block that was freed, and large bodies then leave holes in its heap.
 */
export const returnLargeBlocks = (): Promise<boolean> =>
  withLibc(async ({ dlopen }) => {
    const { functions } = dlopen(null, {
      mallopt: { arguments: ['int32', 'int32'], return: 'int32' },
    })
    functions.mallopt(mmapThreshold, mappedFrom)
  })

const withLibc = async (use: (ffi: typeof import('node:ffi')) => Promise<void>) => {
  try {
    // Imported on use: the module is experimental, and older lines of Node lack it.
    await use(await import('node:ffi'))
    return true
  } catch {
    return false
  }
}
