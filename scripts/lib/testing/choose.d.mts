type Suite = {
  name: string
  projects?: string[]
  files?: string[]
  browser?: boolean
  whole?: boolean
}
export declare const choose: (
  words: readonly string[],
  tier: 'test' | 'all',
) => { chosen: Suite[]; unknown: string[] }
