import { type Language, languages } from '../../locales/language.ts'
import { flatMenu } from '../menu/menu.ts'

export type Command = {
  /** Its synonyms are `palette.synonyms.<id>` in the locales. */
  id: string
  labelKey: string
  url?: string
  language?: Language
}
type Permissions = Parameters<typeof flatMenu>[0]
type Action = { id: string; url: string; isAdmin?: boolean; isRoot?: boolean }

const admin = { isAdmin: true }
/** The palette opens these at once: forms, and tabs of pages. The label is `palette.actions.<id>`. */
const actions: readonly Action[] = [
  { id: 'createToken', url: 'token?dialog=create' },
  { id: 'createChannel', url: 'channel/new', ...admin },
  { id: 'createUser', url: 'user?dialog=create', ...admin },
  { id: 'createPrice', url: 'pricing?dialog=create', ...admin },
  { id: 'readPrices', url: 'pricing?dialog=sync', ...admin },
  { id: 'createGroup', url: 'user_group?dialog=create', ...admin },
  { id: 'createCodes', url: 'redemption?dialog=create', ...admin },
  { id: 'createVirtualModel', url: 'virtual_model?dialog=create', ...admin },
  { id: 'createGateway', url: 'payment?dialog=create', ...admin },
  { id: 'createTarget', url: 'notification?dialog=create', ...admin },
  { id: 'createOwner', url: 'model_ownedby?dialog=create', ...admin },
  { id: 'createModelInfo', url: 'model_info?dialog=create', ...admin },
  { id: 'createProvider', url: 'oauth_provider?dialog=create', isRoot: true },
  { id: 'channelTags', url: 'channel?dialog=tags', ...admin },
  { id: 'importChannels', url: 'channel?dialog=import', ...admin },
  { id: 'orders', url: 'payment#order', ...admin },
  { id: 'invitations', url: 'user/invitations', ...admin },
  { id: 'sessions', url: 'log/sessions' },
  { id: 'testMail', url: 'setting?dialog=test-mail', isRoot: true },
]

const publicPages: readonly Command[] = [
  { id: 'home', labelKey: 'menu.home', url: '/' },
  { id: 'about', labelKey: 'menu.about', url: '/about' },
]
/** The palette does these itself. */
const switches: readonly Command[] = [
  { id: 'theme', labelKey: 'common.toggleTheme' },
  ...languages.map(language => ({
    id: `language-${language}`,
    labelKey: `palette.languages.${language}`,
    language,
  })),
  { id: 'keys', labelKey: 'common.keys.title' },
]

/** The pages and actions that a user may open; a visitor has no permissions. */
export const commandsFor = (permissions: Permissions | undefined): readonly Command[] => {
  if (!permissions)
    return [{ id: 'login', labelKey: 'menu.login', url: '/login' }, ...publicPages, ...switches]
  return [
    ...flatMenu(permissions).map(({ id, url }) => ({ id, labelKey: `menu.${id}`, url })),
    ...actions
      .filter(
        ({ isAdmin, isRoot }) =>
          (!isAdmin || permissions.isAdmin) && (!isRoot || permissions.isRoot),
      )
      .map(({ id, url }) => ({ id, labelKey: `palette.actions.${id}`, url: `/panel/${url}` })),
    ...publicPages,
    ...switches,
    { id: 'sign-out', labelKey: 'menu.signOut' },
  ]
}

type Searched = { label: string; synonyms: string }

const isLatin = /[a-z0-9]/
/** True if the text begins at the start of a word; scripts without spaces have no such places. */
const startsWord = (text: string, part: string) => {
  const at = text.indexOf(part)
  return at === 0 || (at > 0 && !isLatin.test(text[at - 1] ?? ''))
}

/** How well a command fits what was typed: 0 is best, undefined means not at all. */
const rankOf = ({ label, synonyms }: Searched, text: string): number | undefined => {
  const name = label.toLowerCase()
  const words = synonyms.toLowerCase().split(/[,、，]\s*/)
  const tests = [
    () => name === text || words.includes(text),
    () => name.startsWith(text),
    () => words.some(each => each.startsWith(text)),
    () => startsWord(name, text),
    () => words.some(each => startsWord(each, text)),
    () => name.includes(text) || words.some(each => each.includes(text)),
    () => {
      const all = [name, ...words].join(' ')
      return text.split(/\s+/).every(each => startsWord(all, each))
    },
  ]
  const rank = tests.findIndex(fits => fits())
  return rank === -1 ? undefined : rank
}

/** The commands that fit what was typed, the best first. */
export const findCommands = <C extends Searched>(commands: readonly C[], typed: string): C[] => {
  const text = typed.trim().toLowerCase()
  if (text === '') return [...commands]
  return (
    commands
      .flatMap(command => {
        const rank = rankOf(command, text)
        return rank === undefined ? [] : [{ command, rank }]
      })
      // Among equals the shorter name is the more general one.
      .toSorted((a, b) => a.rank - b.rank || a.command.label.length - b.command.label.length)
      .map(({ command }) => command)
  )
}
