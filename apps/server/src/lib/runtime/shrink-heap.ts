type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * V8 collects all garbage of this thread and shrinks its heap. This stops the main thread for about 100 ms, and a thread
 * of SQLite for about 10 ms. Without `--expose-gc` nothing is done.
 */
export const shrinkHeap = (): void => {
  const collect = globalThis.gc as unknown as Collect | undefined
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
