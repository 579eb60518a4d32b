/** Services outside of the gateway whose last call failed. */
export type ServiceFailuresTable = {
  /** `mail`, `payment`, … */
  service: string
  /** The id of the target, gateway or channel. 0: the site has one of it. */
  subject: number
  /** Seconds: the first of the failures without a success between them. */
  since: number
  last_at: number
  failures: number
  /** The fault code of the last failure. */
  code: string
  detail: string
}
