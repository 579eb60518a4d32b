import type { EmptyContent, ModelRule, Rule, RuleKind } from '@hub/dialects'

const code = (value: unknown): string => `\`${String(value).replaceAll('|', '\\|')}\``
const list = (values: readonly unknown[]): string => values.map(code).join(', ')

/** The kinds of empty content, as a body has them. */
const empties: Readonly<Record<EmptyContent, string>> = {
  missing: '`null` or absent',
  string: '`""`',
  list: '`[]`',
  text: 'an empty text part',
  blank: 'white space',
}

type RuleRow<QuestionKind extends RuleKind> = (
  rule: Extract<Rule, { kind: QuestionKind }>,
) => readonly [string, string]

/** The wish of the vendor, and what becomes of a request that asks otherwise. */
const rows: { readonly [QuestionKind in RuleKind]: RuleRow<QuestionKind> } = {
  lengths: ({ user, safetyId, cacheKey }) => [
    idLimits({ user, 'safety identifier': safetyId, 'prompt cache key': cacheKey }),
    'met: a stable short id',
  ],
  stops: ({ max }) => [`at most ${max} stop sequences`, 'met: the first ones, with a warning'],
  metadata: ({ pairs, key, value }) => [
    `at most ${pairs} pairs of metadata, keys of ${key} and values of ${value} characters`,
    'met: the pairs that fit, with a warning',
  ],
  'tool-names': ({ pattern }) => [
    `names of tools match ${code(pattern.source)}`,
    'met: another name, and the own one in the response',
  ],
  'call-ids': ({ pattern }) => [
    `ids of tool calls match ${code(pattern.source)}`,
    'met: another id, the same in call and result',
  ],
  thinking: ({ byDefault, off }) => [
    `thinks ${byDefault ? 'unasked' : 'when asked'}; ${off ? `off: ${offOf(off)}` : 'always'}`,
    off
      ? 'met: in the vendor’s own way'
      : 'refused: effort `none`; met: thinking off becomes the least thinking, with a warning',
  ],
  efforts: ({ accepted }) => [
    accepted.length > 0 ? `efforts ${list(accepted)}` : 'no effort',
    accepted.length > 0
      ? 'met: the next one below, else the lowest, with a warning'
      : 'met: left out, with a warning',
  ],
  budgets: ({ min, max }) => [
    `thinking budgets from ${min} to ${max} tokens`,
    'met: the nearest bound, with a warning',
  ],
  'forced-tools': ({ while: when }) => [
    `no forced tool${when === 'thinking' ? ' while the model thinks' : ''}`,
    when === 'thinking'
      ? 'met: thinking is turned off, with a warning; refused where it cannot be turned off'
      : 'refused',
  ],
  prefill: ({ as }) => [
    as === 'refused' ? 'the last message is not the model’s' : 'words to continue have `prefix`',
    as === 'refused' ? 'refused' : 'met: the field is added',
  ],
  sampling: ({ fields, while: when }) => [
    `no ${list(fields)}${when === 'thinking' ? ' while the model thinks' : ''}`,
    'met: left out, with a warning',
  ],
  'reasoning-content': () => [
    'earlier tool calls carry their `reasoning_content` while the model thinks',
    'met: the caller’s thoughts, else a blank with a warning',
  ],
  'empty-messages': ({ of, refused, acceptsLast }) => [
    `no empty message${of === 'assistant' ? ' of the model' : ''}${acceptsLast ? ' but its last' : ''}: ${refused.map(each => empties[each]).join(', ')}`,
    'met: left out, with a warning, in the vendor’s own dialect too',
  ],
  'assistant-after-tool': () => [
    'no message of the user directly after a tool result',
    'met: a short turn of the model between them, with a warning',
  ],
  'instructions-first': () => [
    'one message of instructions, before all others',
    'met: the first ones are joined, later ones become words of the user, with a warning',
  ],
  'function-tools': () => [
    'tools are functions only',
    'met: a tool that takes text becomes a function, and its calls come back as the caller’s own; a grammar is left out, with a warning',
  ],
  'cache-marks': ({ max }) => [
    `at most ${max} \`cache_control\` marks`,
    'met: the first and the last ones, with a warning',
  ],
  'output-min': ({ min }) => [`an output limit of at least ${min}`, 'met: the smallest limit'],
  'reserved-words': ({ words }) => [
    `${list(words)} is not in the system prompt`,
    'met: the client’s line is removed',
  ],
}

const idLimits = (limits: Readonly<Record<string, number | undefined>>): string =>
  Object.entries(limits)
    .flatMap(([name, max]) =>
      max === undefined ? [] : [`at most ${max} characters in the ${name}`],
    )
    .join(', ')

const offOf = (off: NonNullable<Extract<Rule, { kind: 'thinking' }>['off']>): string => {
  if (off === 'own') return 'as the dialect says it'
  return off === 'effort-none' ? 'effort `none`' : code(JSON.stringify(off))
}

/** One row of the page. */
export const rowOf = (rule: ModelRule): string => {
  const [demand, outcome] = (rows[rule.kind] as (each: ModelRule) => readonly [string, string])(
    rule,
  )
  const models = rule.models ? code(rule.models.source) : 'every model'
  const where = rule.dialect ? `${models}, by ${rule.dialect}` : models
  const source = rule.source.startsWith('https://') ? `[page](${rule.source})` : rule.source
  return `| \`${rule.kind}\` | ${where} | ${demand} | ${outcome} | ${source} | ${rule.date} |`
}

export const tableOf = ([vendor, rules]: readonly [string, readonly ModelRule[]]): string =>
  [
    `## ${vendor}`,
    '',
    '| Rule | Models | What the vendor wants | Otherwise | Source | Read on |',
    '|---|---|---|---|---|---|',
    ...rules.map(rowOf),
  ].join('\n')

export const head = `# Rules of models

Written by \`WRITE_MODEL_RULES=1 npx vitest run --project unit apps/server/test/model-rules\`; the same test fails if this page
differs. Each table stands in the vendor's folder (\`packages/providers/src/<vendor>/model-rules.ts\`), and every dialect that the
vendor's models are asked in obeys it. The first row of a kind that matches the model's name at the upstream counts.

| Outcome | Meaning |
|---|---|
| **met** | The request is changed so that the vendor accepts it. Where something is lost, the log row of the call has a warning. |
| **refused** | Nothing equal exists: status 400 in the caller's dialect, with field, model and remedy. The vendor is not asked, and nothing is charged. |
| **passed** | The caller speaks the vendor's own dialect: its bytes leave as they are, and the vendor itself answers. Only names and ids of tools are replaced, and empty messages that the vendor refuses are left out. |

A gateway or another host keeps the rows that name models, for models of those names. Rows of every model hold at the vendor's own
address. What a caller says in headers about versions and betas (\`anthropic-version\`, \`anthropic-beta\`, \`openai-beta\`) leaves
unchanged in the vendor's own dialect: [headers of callers](caller-headers.md).`
