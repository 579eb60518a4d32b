/** Names of headers or fields. A `*` at the end of a listed name stands for any ending. */
export type NameSet = { names: ReadonlySet<string>; prefixes: readonly string[] }

export const makeNameSet = (list: readonly string[]): NameSet => ({
  names: new Set(list.filter(each => !each.endsWith('*'))),
  prefixes: list.filter(each => each.endsWith('*')).map(each => each.slice(0, -1)),
})

export const hasName = ({ names, prefixes }: NameSet, name: string): boolean =>
  names.has(name) || prefixes.some(each => name.startsWith(each))

const plainName = /^[a-z_]*$/

/** A name in lower case. Some parsers fold the case of names, the long s and the Kelvin sign included. */
export const foldName = (name: string): string =>
  plainName.test(name) ? name : name.toUpperCase().toLowerCase()

/** The names that an operator lists, separated by commas or blanks, in lower case. */
export const listedNames = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
