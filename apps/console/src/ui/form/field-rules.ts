import type { z } from 'zod'
import type { T } from '../../locales/use-t.ts'

type Issue = z.core.$ZodRawIssue

/** Translates validation issues of Zod. Its own messages are too technical for users. */
export const fieldRule =
  (t: T) =>
  (issue: Issue): string | undefined => {
    switch (issue.code) {
      case 'too_small':
        return issue.origin === 'string' || issue.origin === 'array'
          ? t(
              issue.minimum === 1 ? 'rules.field.required' : 'rules.field.short',
              numbered(issue.minimum),
            )
          : t('rules.field.low', numbered(issue.minimum))
      case 'too_big':
        return issue.origin === 'string'
          ? t('rules.field.long', numbered(issue.maximum))
          : t('rules.field.high', numbered(issue.maximum))
      case 'invalid_type':
        return typeRule(t, issue)
      case 'invalid_format':
        if (issue.format === 'url') return t('rules.field.url')
        return issue.format === 'email' ? t('rules.field.email') : undefined
      default:
        return undefined
    }
  }

const typeRule = (t: T, { expected, input }: Extract<Issue, { code: 'invalid_type' }>) => {
  if (expected === 'int') return t('rules.field.whole')
  const isEmpty = input === undefined || input === null || input === ''
  if (isEmpty) return t('rules.field.required')
  return expected === 'number' ? t('rules.field.number') : undefined
}

const numbered = (n: unknown) => ({ n: String(n) })
