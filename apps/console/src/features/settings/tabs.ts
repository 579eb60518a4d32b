import { type FieldKey, sectionKeys } from './values.ts'

export type SectionId = (typeof sectionKeys)[number]['id']
export type TabId = keyof typeof tabs

/** The sections whose tab and order are chosen. */
const ordered = {
  operation: [
    'relay',
    'retry',
    'channels',
    'links',
    'safety',
    'responseCache',
    'responses',
    'tasks',
    'taskStorage',
    'midjourney',
    'money',
    'ratios',
    'priceUpdates',
    'payment',
    'administrators',
    'logs',
    'claude',
  ],
  other: ['site', 'analytics', 'uptime'],
  system: ['registration', 'signInLimits', 'passkeys', 'turnstile', 'mail'],
} satisfies Record<string, SectionId[]>

const placed: SectionId[] = Object.values(ordered).flat()
const unplaced = sectionKeys.map(({ id }) => id).filter(id => !placed.includes(id))

/** The three tabs of the settings page. A section that is only declared stands at the end of the last one. */
const tabs: Record<keyof typeof ordered, SectionId[]> = {
  ...ordered,
  system: [...ordered.system, ...unplaced],
}

export const tabIds = Object.keys(tabs) as TabId[]

const keysOf = (id: SectionId): FieldKey[] => sectionKeys.find(each => each.id === id)?.keys ?? []

export const sectionsOf = (tab: TabId) => tabs[tab].map(id => ({ id, keys: keysOf(id) }))

export const tabOf = (key: string): TabId | undefined =>
  tabIds.find(tab => sectionsOf(tab).some(({ keys }) => keys.some(each => each === key)))

/** The sections of all tabs with the settings whose key or texts contain the search; none if nothing matches. */
export const searchSections = (search: string, textsOf: (key: FieldKey) => string) => {
  const needle = search.trim().toLowerCase()
  return tabIds
    .flatMap(sectionsOf)
    .map(({ id, keys }) => ({
      id,
      keys: keys.filter(key => `${key} ${textsOf(key)}`.toLowerCase().includes(needle)),
    }))
    .filter(({ keys }) => keys.length > 0)
}
