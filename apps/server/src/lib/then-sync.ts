/** Continues synchronously when the value is available, which is the usual case, and otherwise when the promise resolves. */
export const thenSync = <T, R>(
  value: T | Promise<T>,
  next: (value: T) => Promise<R>,
): Promise<R> => (value instanceof Promise ? value.then(next) : next(value))
