import { useTranslation } from 'react-i18next'

export type T = (key: string, values?: Record<string, string | number>) => string

/** The words of the interface: `<resource>.<thing>`. */
export const useT = (): T => useTranslation().t as unknown as T

/** A word that need not exist, such as the help under a field. */
export const useOptionalT = () => {
  const { t, i18n } = useTranslation()
  return (key: string): string | undefined => (i18n.exists(key) ? t(key) : undefined)
}
