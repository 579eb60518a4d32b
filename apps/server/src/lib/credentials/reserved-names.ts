import { Fault } from '@hub/contract'
import { nameKey } from './name-key.ts'

const reserved = [
  'root',
  'admin',
  'administrator',
  'sysadmin',
  'system',
  'superuser',
  'gateway',
  'support',
  'moderator',
  'operator',
  'official',
  'security',
]

/** Letters that look like Latin ones in common typefaces, after Unicode TR 39 (confusables). */
const lookAlikes: Record<string, string> = {
  a: 'аαɑ⍺ᴀꭺ@',
  b: 'ьвβᏼ',
  c: 'сϲцᴄꮯ',
  d: 'ԁđᴅꭰ',
  e: 'еεєᴇꭼ3',
  f: 'ϝƒꜰ',
  g: 'ɡցԍɢ',
  h: 'һհнħʜ',
  i: 'іιıɩɪꭵ1l|!ӏłӀ',
  j: 'јϳյᴊ',
  k: 'кκᴋ',
  m: 'мμᴍꮇ',
  n: 'пηոɴ',
  o: 'оοօσøᴏꮎ0',
  p: 'рρᴘꮲ',
  r: 'гʀꭱꮢ',
  s: 'ѕꜱꮪ5$',
  t: 'тτᴛꭲ',
  u: 'υսᴜц',
  v: 'νѵᴠꮩ',
  w: 'ԝωᴡꮃ',
  x: 'хχ',
  y: 'уүγʏ',
}
const latinOf = new Map(
  Object.entries(lookAlikes).flatMap(([latin, others]) =>
    [...nameKey(others)].map((other): [string, string] => [other, latin]),
  ),
)

/** Equal for names that look alike: without marks and separators, and with look-alike letters made Latin. */
const skeleton = (name: string): string => {
  const bare = nameKey(name)
    .normalize('NFD')
    .replace(/[\p{M}\p{P}\p{Z}]/gu, each => (latinOf.has(each) ? each : ''))
  const latin = [...bare].map(each => latinOf.get(each) ?? each).join('')
  // Two letters that together look like one.
  return latin.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('ci', 'd')
}
const reservedSkeletons = new Set(reserved.map(skeleton))

/** Refuses reserved names and names that look like one. An administrator may give the exact name to somebody. */
export const refuseReservedName = (
  name: string,
  { byAdministrator }: { byAdministrator: boolean },
): void => {
  if (byAdministrator && reserved.includes(name)) return
  if (reservedSkeletons.has(skeleton(name))) throw new Fault('name.reserved')
}
