import { useSearchParams } from 'react-router'

/** A text of a page, such as a search, stored in the address under a key. */
export const useAddressText = (key: string): [string, (text: string) => void] => {
  const [params, setParams] = useSearchParams()
  const setText = (next: string) =>
    setParams(
      now => {
        const changed = new URLSearchParams(now)
        if (next) changed.set(key, next)
        else changed.delete(key)
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  return [params.get(key) ?? '', setText]
}

/** A choice of a page, stored in the address under a key. The first option is the default. */
export const useChoice = <C extends string>(
  key: string,
  options: readonly [C, ...C[]],
): [C, (choice: C) => void] => {
  const [text, setText] = useAddressText(key)
  return [options.find(each => each === text) ?? options[0], setText]
}
