import { z } from 'zod'
import { text } from './fields.ts'

/** One `<script>` of the analytics code: of another server, or with its own text. */
export type AnalyticsScript = { attributes: Record<string, string>; text: string }

const allowedAttribute =
  /^(src|async|defer|type|crossorigin|integrity|id|referrerpolicy|data-[\w-]+)$/

/** Returns undefined for a code with anything but scripts of https addresses and scripts with text. */
export const readAnalytics = (code: string): AnalyticsScript[] | undefined => {
  const scripts: AnalyticsScript[] = []
  let rest = code.replaceAll(/<!--.*?-->/gs, '').trim()
  while (rest !== '') {
    const found = /^<script\b([^>]*)>(.*?)<\/script\s*>/is.exec(rest)
    const attributes = found && readAttributes(found[1] ?? '')
    if (!found || !attributes) return undefined
    const script = { attributes, text: (found[2] ?? '').trim() }
    if (!isAllowed(script)) return undefined
    scripts.push(script)
    rest = rest.slice(found[0].length).trim()
  }
  return scripts
}

const readAttributes = (source: string): Record<string, string> | undefined => {
  const attributes: Record<string, string> = {}
  const left = source.replaceAll(
    /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g,
    (_all, name: string, double = '', single = '', bare = '') => {
      attributes[name.toLowerCase()] = double || single || bare
      return ''
    },
  )
  const isRead = left.trim() === '' || left.trim() === '/'
  return isRead && Object.keys(attributes).every(name => allowedAttribute.test(name))
    ? attributes
    : undefined
}

const isAllowed = ({ attributes: { src }, text }: AnalyticsScript): boolean =>
  src === undefined ? text !== '' : text === '' && /^https:\/\//.test(src) && URL.canParse(src)

const isHost = (value: string) => /^(\*\.)?([a-z\d-]+\.)+[a-z\d-]{2,}$/i.test(value)

const splitHosts = (value: string) => value.split(/[\s,]+/).filter(Boolean)

/**
 * A visitor counter of the operator, in the public pages of visitors who are not signed in. It can read what a page shows
 * and what is typed there.
 */
export const analytics = z.object({
  /** `<script>` elements. Those with text are served as a file of this server, as the page's policy demands. */
  AnalyticsCode: text(20_000).refine(
    value => readAnalytics(value) !== undefined,
    'must be <script> elements: each with an https address, or with a text',
  ),
  /** Further hosts that the scripts load from or report to. Hosts of `src` are allowed anyway. */
  AnalyticsHosts: text(2_000).refine(
    value => splitHosts(value).every(isHost),
    'must be host names such as stats.example.com or *.example.com',
  ),
})

/** The origins that the page's policy must allow for the analytics code. */
export const analyticsOrigins = ({
  AnalyticsCode,
  AnalyticsHosts,
}: z.output<typeof analytics>): string[] => [
  ...new Set([
    ...(readAnalytics(AnalyticsCode) ?? []).flatMap(({ attributes: { src } }) =>
      src === undefined ? [] : [new URL(src).origin],
    ),
    ...(AnalyticsCode === '' ? [] : splitHosts(AnalyticsHosts).map(host => `https://${host}`)),
  ]),
]
