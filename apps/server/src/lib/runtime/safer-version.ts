/** The first version of each Node release line that has every published security fix. */
const floors = [
  [22, 23, 4],
  [24, 22, 1],
  [26, 12, 1],
] as const

/** The version to upgrade to; undefined when this one is safe. An unlisted release line is compared with the next one. */
export const saferRuntime = (version: string): string | undefined => {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split('.').map(Number)
  const floor = floors.find(each => each[0] >= major)
  if (!floor) return undefined
  const isSafe =
    floor[0] === major && (minor > floor[1] || (minor === floor[1] && patch >= floor[2]))
  return isSafe ? undefined : floor.join('.')
}
