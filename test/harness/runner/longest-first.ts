import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest: begun last, they would run alone at the end. */
const longest = [
  ...['limits', 'fail-points', 'canaries', 'crash', 'recovery', 'local-responses-crash'],
  ...['settings', 'notifications-crash', 'backup', 'vendor-responses', 'emails', 'reload'],
  ...['rotate', 'destructive-programs', 'ask-vendor', 'fair-prompts', 'output-limits', 'deliver'],
  ...['migrate', 'killed', 'slow-ledger', 'data-access', 'money-writes', 'drain', 'payments'],
  ...['wrong-configuration', 'balance', 'local-responses', 'dev', 'start'],
]

const isLong = ({ moduleId }: TestSpecification) =>
  longest.some(name => moduleId.endsWith(`/${name}.test.ts`))

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter(each => !isLong(each))]
  }
}
