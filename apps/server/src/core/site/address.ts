import { addressStateOf, Fault } from '@hub/contract'
import type { App } from '../app.ts'

type AddressApp = Pick<App, 'settings'>

/** The address at which people and vendors reach this site, without a slash at its end. Undefined: nobody set it. */
export const siteAddress = (app: AddressApp): string | undefined =>
  app.settings().site.ServerAddress.replace(/\/+$/, '') || undefined

/** An address on this site, whatever Host the request named. A text without one leaves the link out. */
export const siteUrl = (app: AddressApp, path: string): string | undefined => {
  const address = siteAddress(app)
  return address && new URL(path, address).href
}

/** The address of what cannot work without it. Throws `setting.address_needed`. */
export const requireSiteUrl = (app: AddressApp, path: string): string => {
  const url = siteUrl(app, path)
  if (url === undefined)
    throw new Fault('setting.address_needed', { hint: `Set ${setting} first.` })
  return url
}

const setting = '`ServerAddress`'

/**
 * Refuses to turn on what people or vendors must reach from outside. A switch that is on continues. Throws
 * `setting.address_needed`.
 */
export const requireReachableSite = (app: AddressApp): void => {
  const { ServerAddress, LocalTrialEnabled } = app.settings().site
  const state = addressStateOf(ServerAddress)
  if (state === 'public' || (state === 'loopback' && LocalTrialEnabled)) return
  throw new Fault('setting.address_needed', { hint: `Set ${setting} first.` })
}
