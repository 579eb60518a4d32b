import type { DatabaseSync } from 'node:sqlite'

export type Statements = ReturnType<typeof statementsOf>

export const statementsOf = (database: DatabaseSync) => {
  const p = (sql: string) => database.prepare(sql)
  /** One row as a list: an object with names costs as much again as the statement. */
  const row = (sql: string) => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  return {
    begin: p('begin immediate'),
    commit: p('commit'),
    rollback: p('rollback'),
    isLive: p(`select 1 from nodes where epoch = ? and state = 'live'`),

    insertHold: p(
      `insert into holds (id, user_id, token_id, epoch, amount, accrued, price_id, usage, opened_at)
       values (?, ?, ?, ?, ?, 0, ?, '', ?) on conflict do nothing`,
    ),
    deleteHold: row(
      `delete from holds where id = ?
       returning user_id, token_id, amount, accrued, price_id, usage`,
    ),
    accrue: p(
      'update holds set accrued = ?, usage = ? where id = ? and epoch = ? returning user_id, token_id',
    ),
    extendHold: p('update holds set amount = amount + ? where id = ?'),

    holdToken: p(
      `update token_spend set held = held + ?1 where token_id = ?2 and user_id = ?3 and status = 1
       and (expires_at = -1 or expires_at > ?4) and (cap is null or cap - used - held >= ?1)`,
    ),
    giveTokenBack: p('update token_spend set held = held - ? where token_id = ?'),
    spendToken: p(
      `update token_spend set used = used + ?1, held = held - ?2, last_used_at = max(last_used_at, ?3)
       where token_id = ?4`,
    ),
    findToken: p(
      `select status, expires_at, coalesce(cap - used - held, ${Number.MAX_SAFE_INTEGER}) as available
       from token_spend where token_id = ? and user_id = ?`,
    ),

    holdAccount: p(
      `update accounts set held = held + ?1 where user_id = ?2 and frozen = 0
       and balance - held >= ?1`,
    ),
    giveAccountBack: p('update accounts set held = held - ? where user_id = ?'),
    spendAccount: p(
      `update accounts set balance = balance - ?1, held = held - ?2, used = used + ?1,
       requests = requests + ?3 where user_id = ?4`,
    ),
    findAccount: p('select frozen, balance - held as available from accounts where user_id = ?'),

    insertTransfer: p(
      `insert into transfers
       (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, usage)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    findPosted: p(
      `select t.amount, l.amount as late, s.amount as shortfall from transfers t
       left join transfers l on l.id = -t.id left join shortfalls s on s.id = t.id where t.id = ?`,
    ),
    isPosted: p('select 1 from transfers where id = ?'),
    insertShortfall: p('insert into shortfalls (id, user_id, amount, at) values (?, ?, ?, ?)'),
    addChannelUsed: p(
      `insert into channel_used (channel_id, epoch, used, n) values (?, ?, ?, ?)
       on conflict do update set used = used + excluded.used, n = n + excluded.n`,
    ),
    insertLog: p(
      `insert into logs (id, user_id, created_at, type, content, username, token_name, model_name,
       quota, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, source_ip, metadata)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    ),

    insertStored: p(
      `insert into stored_answers (id, user_id, channel_id, credential, request_id, created_at)
       values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
    ),
    insertIdempotency: p(
      `insert into idempotency (key_hash, body_hash, request_id, at) values (?, ?, ?, ?)
       on conflict do nothing`,
    ),
    findIdempotency: p('select request_id, body_hash from idempotency where key_hash = ?'),
    deleteIdempotency: p('delete from idempotency where request_id = ?'),
  }
}
