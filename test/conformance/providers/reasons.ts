import { join } from 'node:path'
import {
  type CallerReasons,
  finishReasons,
  finishWords,
  otherFailures,
  type ReasonDialect,
  requestFailures,
} from '@hub/dialects'
import { root } from '../../harness/paths.ts'

export const reasonsFile = join(root, 'docs/reasons.md')

const callers: readonly CallerReasons[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini']
const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
const code = (word: string) => `\`${word}\``

const finishLines = (dialect: ReasonDialect): string[] =>
  finishReasons[dialect].map(([word, reason, vendors]) =>
    line([
      ...[dialect, code(word), vendors, reason],
      ...callers.map(each => code(each === dialect ? word : finishWords[reason][each])),
    ]),
  )

/** Every reason of every vendor, and what callers of each dialect read. */
export const reasonsDocument = (): string =>
  [
    '# Reasons',
    '',
    'Written by `npm run conformance -- providers`; `npm test` fails if this page differs.',
    '',
    'How an answer ended, as vendors say it and as callers of each dialect read it. In its own dialect a word passes as it is, also one',
    'that is in no table. A word of Responses is the status, with the reason or the code of the error behind it.',
    '',
    line(['Dialect', 'Word', 'Vendors', 'Meaning', ...callers]),
    `|${'---|'.repeat(4 + callers.length)}`,
    ...(Object.keys(finishReasons) as ReasonDialect[]).flatMap(finishLines),
    '',
    '## Failures',
    '',
    'The code or type of an error stands for this status where none was sent, as in a stream. Other words count as 500.',
    '',
    line(['Code or type', 'Status', 'Vendors', 'Caused by']),
    '|---|---|---|---|',
    ...requestFailures.map(([word, status, vendors]) =>
      line([code(word), status, vendors, 'the request']),
    ),
    ...otherFailures.map(([word, status, vendors]) => line([code(word), status, vendors, ''])),
    '',
  ].join('\n')
