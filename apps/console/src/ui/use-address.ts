import { useCallback, useContext } from 'react'
import { UNSAFE_DataRouterContext, useSearchParams } from 'react-router'

type ChangeOptions = {
  /** Without it, the back button undoes the change. */
  replace?: boolean
  /** Removes all other parameters. */
  clear?: boolean
  hash?: string
}

/**
 * The rendered parameters of the address, and a function that changes some of them; an empty value removes one. Changes
 * start from the router's location, which is ahead of the rendered one: `setSearchParams` loses what is not rendered yet.
 */
export const useAddress = () => {
  const [params] = useSearchParams()
  const { router } = useContext(UNSAFE_DataRouterContext)!
  const change = useCallback(
    (
      values: Record<string, string | undefined>,
      { replace = false, clear = false, hash }: ChangeOptions = {},
    ) => {
      const { location } = router.state
      const next = new URLSearchParams(clear ? '' : location.search)
      for (const [key, value] of Object.entries(values))
        if (value) next.set(key, value)
        else next.delete(key)
      // A replaced entry keeps the mark of what it opened.
      const state = replace ? location.state : null
      void router.navigate(
        { search: String(next), hash: hash ?? location.hash },
        { replace, state },
      )
    },
    [router],
  )
  return [params, change] as const
}

/** A text of a page, such as a search, stored in the address under a key. */
export const useAddressText = (key: string): [string, (text: string) => void] => {
  const [params, change] = useAddress()
  return [params.get(key) ?? '', text => change({ [key]: text }, { replace: true })]
}

/** A choice of a page, stored in the address under a key. The first option is the default. */
export const useChoice = <C extends string>(
  key: string,
  options: readonly [C, ...C[]],
): [C, (choice: C) => void] => {
  const [text, setText] = useAddressText(key)
  return [options.find(each => each === text) ?? options[0], setText]
}
