/** How many tokens a model's vendor counts for one of the gateway's count. The last call of each user that was compared. */
export type PromptRatiosTable = {
  /** The model's name at the vendor. */
  model: string
  user_id: number
  /** Thousandths. */
  permille: number
  /** Seconds. */
  counted_at: number
}
