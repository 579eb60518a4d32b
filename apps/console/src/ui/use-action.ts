import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../api/error-text.ts'
import { useT } from '../locales/use-t.ts'
import { notify } from './feedback/toast.tsx'

export type Action<I, R> = ((input: I) => Promise<R | undefined>) & {
  /** Runs the action, but throws a failure instead of showing it as a toast. */
  attempt: (input: I) => Promise<R>
  isPending: boolean
}

type Options<R> = {
  successKey?: string | undefined
  onSuccess?: (response: R) => void
  /** Set when a failed call also changes data. */
  invalidateOnFailure?: boolean
}

/** A call that changes data: it invalidates the named resources and shows success or failure as a toast. */
export const useAction = <I, R>(
  resources: string | readonly string[],
  call: (input: I) => Promise<R>,
  { successKey, onSuccess, invalidateOnFailure = false }: Options<R> = {},
): Action<I, R> => {
  const t = useT()
  const client = useQueryClient()
  const invalidate = async () => {
    const names = typeof resources === 'string' ? [resources] : resources
    await Promise.all(names.map(name => client.invalidateQueries({ queryKey: [name] })))
  }
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (input: I) => call(input),
    onSuccess: async response => {
      if (successKey) notify.success(t(successKey))
      onSuccess?.(response)
      await invalidate()
    },
    onError: () => (invalidateOnFailure ? invalidate() : undefined),
  })
  const run = (input: I) =>
    mutateAsync(input).catch((error: unknown) => {
      const { kind, text } = errorText(t, error)
      notify[kind](text)
      return undefined
    })
  return Object.assign(run, { attempt: mutateAsync, isPending })
}
