import type { App } from '../core/app.ts'
import { findAddressProblem, incompleteSwitches } from '../core/site/problems.ts'
import { type DoctorResult, ok, skipped, warning } from './check.ts'

type SiteApp = Pick<App, 'settings' | 'db'>

export const checkSiteAddress = async (app: SiteApp): Promise<DoctorResult> => {
  const { ServerAddress } = app.settings().site
  const problem = await findAddressProblem(app)
  if (problem) {
    const found =
      problem.state === 'unset'
        ? 'ServerAddress is not set'
        : `ServerAddress ${ServerAddress} leads to this machine only`
    return warning(
      'site address',
      `${found}, and is needed by ${problem.usedBy.join(', ')}. Set the public address in the settings.`,
    )
  }
  return ServerAddress === ''
    ? skipped('site address', 'None is set. Texts contain no links.')
    : ok('site address', `${ServerAddress} is set.`)
}

export const checkSwitches = (app: Pick<App, 'settings'>): DoctorResult => {
  const incomplete = incompleteSwitches(app)
  if (incomplete.length === 0) return ok('switches', 'Each has the settings that it needs.')
  const sentences = incomplete.map(({ key, missing }) => `${key} lacks ${missing.join(', ')}`)
  return warning('switches', `${sentences.join('; ')}. Set them, or turn the switch off.`)
}
