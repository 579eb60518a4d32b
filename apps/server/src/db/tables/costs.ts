import type { Generated } from 'kysely'

/** The cost lists of channels. The one with the latest `valid_from` of a channel is in force; none is ever changed. */
export type CostListsTable = {
  id: Generated<number>
  channel_id: number
  /** Seconds. */
  valid_from: number
  /** JSON: `CostList` of the contract. Null: the list before it was removed. */
  body: string | null
  /** The user who wrote it; 0 for the gateway itself. */
  created_by: number
}

/** The terms by which costs were computed. The id is a part of the hash of currency and body. */
export type CostVersionsTable = {
  id: number
  currency: string
  /** JSON: `Terms` of a price, whose unit is 2 millionths of the currency. */
  body: string
  /** Seconds. */
  created_at: number
}

/** An attempt that did not answer its call, and that the vendor may bill: it failed, was cancelled, or lost a hedged start. */
export type AttemptCostsTable = {
  /** The id of the call. */
  call_id: number
  /** Its place among the attempts of the call, from 1. */
  attempt: number
  /** Seconds. */
  at: number
  user_id: number
  token_id: number
  /** The billing tag of the token, or else the group of the call. */
  group_name: string
  channel_id: number
  model_name: string
  /** 10⁻¹⁰ of the currency of the version. Null: no price is known. */
  cost: number | null
  cost_version: number | null
  /** One of `costKinds`; null without a cost. */
  cost_kind: number | null
  /** JSON: the usage. */
  usage: string
}

/** How many units of a currency the operator counts for a US dollar. The latest `valid_from` is in force. */
export type ExchangeRatesTable = {
  currency: string
  /** Seconds. */
  valid_from: number
  /** A decimal number in text. */
  rate: string
  created_by: number
}

/** Charges and costs of a time by every attribute of a call. They survive the deletion of logs. */
export type CostSumsTable = {
  /** The length in seconds: 900, or 86,400 for a complete day of the time zone of `usage_sums`, however long. */
  span: number
  /** The first second. */
  at: number
  channel_id: number
  model: string
  user_id: number
  /** The billing tag of the token, or else the group of the call. */
  group_name: string
  token_name: string
  /** The currency of the costs. Empty: the cost of these calls and attempts is not known, and counts 0. */
  currency: string
  /** Calls that were charged, also with 0 points. */
  calls: number
  /** Points. */
  charged: number
  /** The cost of the attempts that answered a call, in 10⁻¹⁰ of the currency. */
  cost: number
  /** The part of it whose usage is an estimate. */
  estimated: number
  /** Attempts that did not answer their call, and what they cost. */
  attempts: number
  attempt_cost: number
}
