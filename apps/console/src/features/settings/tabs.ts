import type { SettingKey, settings } from '@hub/contract'
import { sectionKeys } from './values.ts'

export type SectionId = keyof typeof settings
export type TabId = keyof typeof tabs

/** The three tabs of the settings page, and their sections in reading order. */
export const tabs = {
  operation: ['relay', 'retry', 'channels', 'responses', 'money', 'logs', 'claude'],
  other: ['site'],
  system: ['registration', 'mail'],
} as const satisfies Record<string, readonly SectionId[]>

export const tabIds = Object.keys(tabs) as TabId[]

const keysOf = (id: SectionId): SettingKey[] => sectionKeys.find(each => each.id === id)?.keys ?? []

export const sectionsOf = (tab: TabId) => tabs[tab].map(id => ({ id, keys: keysOf(id) }))

export const tabOf = (key: string): TabId | undefined =>
  tabIds.find(tab => sectionsOf(tab).some(({ keys }) => keys.some(each => each === key)))

/** The sections of all tabs with the settings whose key or texts contain the search; none if nothing matches. */
export const searchSections = (search: string, textsOf: (key: SettingKey) => string) => {
  const needle = search.trim().toLowerCase()
  return tabIds
    .flatMap(sectionsOf)
    .map(({ id, keys }) => ({
      id,
      keys: keys.filter(key => `${key} ${textsOf(key)}`.toLowerCase().includes(needle)),
    }))
    .filter(({ keys }) => keys.length > 0)
}
