import type { AvailableModel, Token } from '@hub/contract'

/** The models that a token may use: those of its groups, and of its own list where it has one. */
export const modelsOfToken = (
  { group, backup_group: backup, setting }: Pick<Token, 'group' | 'backup_group' | 'setting'>,
  userGroup: string,
  models: Record<string, AvailableModel>,
): string[] => {
  const groups = [group || userGroup, ...(backup ? [backup] : [])]
  const { enabled, models: listed } = setting.limits.limit_model_setting
  return Object.entries(models)
    .filter(([, model]) => model.groups.some(each => groups.includes(each)))
    .map(([name]) => name)
    .filter(name => !enabled || listed.includes(name))
    .toSorted()
}
