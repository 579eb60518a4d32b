import { useTranslation } from 'react-i18next'

export type T = (key: string, values?: Record<string, string | number>) => string

/** Translates a key such as `tokens.title`. */
export const useT = (): T => useTranslation().t as unknown as T

/** Translates a key that may be missing, such as the help text of a field; undefined if it is. */
export const useOptionalT = () => {
  const { t, i18n } = useTranslation()
  return (key: string): string | undefined => (i18n.exists(key) ? t(key) : undefined)
}
