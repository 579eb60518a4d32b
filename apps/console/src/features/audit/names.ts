import { useOptionalT } from '../../locales/use-t.ts'

/** Translates an action code such as `channels.test`; undefined if the code has no translation. */
export const useActionName = () => {
  const optionalT = useOptionalT()
  return (action: string): string | undefined => {
    const [resource = '', actionKey = ''] = action.split('.')
    const [resourceName, actionName] = [
      optionalT(`audit.resources.${resource}`),
      optionalT(`audit.actions.${actionKey}`),
    ]
    return resourceName && actionName && `${resourceName} · ${actionName}`
  }
}
