import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../api/error-text.ts'
import { useT } from '../locales/use-t.ts'
import { notify } from './feedback/toast.tsx'

export type Action<I, R> = ((input: I) => Promise<R | undefined>) & {
  /** As the call itself, but a failure is thrown to the caller instead of shown as a toast. */
  attempt: (input: I) => Promise<R>
  isPending: boolean
}

type Options<R> = { successKey?: string | undefined; onSuccess?: (reply: R) => void }

/** A change on the server: the named resources are read anew, success and failure are told. */
export const useAction = <I, R>(
  changes: string | readonly string[],
  call: (input: I) => Promise<R>,
  { successKey: done, onSuccess: onDone }: Options<R> = {},
): Action<I, R> => {
  const t = useT()
  const client = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (input: I) => call(input),
    onSuccess: async reply => {
      if (done) notify.success(t(done))
      onDone?.(reply)
      const names = typeof changes === 'string' ? [changes] : changes
      await Promise.all(names.map(name => client.invalidateQueries({ queryKey: [name] })))
    },
  })
  const tell = (input: I) =>
    mutateAsync(input).catch((error: unknown) => {
      const { kind, text } = errorText(t, error)
      notify[kind](text)
      return undefined
    })
  return Object.assign(tell, { attempt: mutateAsync, isPending })
}
