import { useSearchParams } from 'react-router'

/** A choice of a page, stored in the address under a key. The first option is the default. */
export const useChoice = <C extends string>(
  key: string,
  options: readonly [C, ...C[]],
): [C, (choice: C) => void] => {
  const [params, setParams] = useSearchParams()
  const choice = options.find(each => each === params.get(key)) ?? options[0]
  const choose = (next: C) =>
    setParams(
      now => {
        const changed = new URLSearchParams(now)
        changed.set(key, next)
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  return [choice, choose]
}
