/** Resolves to whether the work ended in time, and rejects if it failed in time. Later work goes on, and its failure is ignored. */
export const endsWithin = async (
  work: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  try {
    return await Promise.race([work.then(() => true), limit])
  } finally {
    clearTimeout(timer)
  }
}
