// Parts of the body of `ledger_batch_v3`. Its parameters and variables are declared in `ledger-batch-parameters.ts` and
// `ledger-batch.sql.ts`.

/** Ends holds and posts charges. */
export const settle = `
  with closed as (delete from holds h where h.id = any (settle_ids) returning h.*)
  select array_agg(g.amount order by u.ord),
         array_agg(coalesce(g.user_id, u.user_id) order by u.ord),
         array_agg(coalesce(g.token_id, u.token_id) order by u.ord),
         array_agg(g.unbounded order by u.ord)
    into settle_held, settle_users, settle_tokens, settle_unbounded
    from unnest(settle_ids, settle_users, settle_tokens)
      with ordinality u(id, user_id, token_id, ord)
    left join closed g on g.id = u.id;

  -- Settles within their hold: one statement per table.
  update accounts a set balance = a.balance - t.charge, held = a.held - t.held,
      used = a.used + t.charge, requests = a.requests + t.n
    from (select u.user_id, sum(u.charge)::bigint charge, sum(u.held)::bigint held, count(*) n
      from unnest(settle_users, settle_charges, settle_held) u(user_id, charge, held)
      where u.charge <= u.held group by 1) t
    where a.user_id = t.user_id;
  update token_spend s set used = s.used + t.charge, held = s.held - t.held,
      last_used_at = greatest(s.last_used_at, t.at)
    from (select u.token_id, sum(u.charge)::bigint charge, sum(u.held)::bigint held, max(u.at) at
      from unnest(settle_tokens, settle_charges, settle_held, settle_times)
        u(token_id, charge, held, at)
      where u.charge <= u.held group by 1) t
    where s.token_id = t.token_id;

  posting_ids := settle_ids;
  posting_amounts := settle_charges;
  posting_kinds := array_fill('request'::text, array[settle_count]);
  settle_charged := settle_charges;
  settle_shortfalls := array_fill(0::bigint, array[settle_count]);
  settle_late := array_fill(false, array[settle_count]);
  settle_logged := array_fill(true, array[settle_count]);

  -- Settles beyond their hold, and those whose hold is gone: one by one.
  for i in 1 .. settle_count loop
    continue when settle_charges[i] <= settle_held[i];
    charged_before := coalesce(settle_held[i], 0);
    posted_amount := null;
    if settle_held[i] is null then
      settle_late[i] := true;
      select t.amount, l.amount, f.amount into posted_amount, posted_late, posted_shortfall
        from transfers t left join transfers l on l.id = -t.id
        left join shortfalls f on f.id = t.id where t.id = settle_ids[i];
      charged_before := coalesce(posted_amount, 0) + coalesce(posted_late, 0);
      -- An id is epoch * 2^32 + n. This epoch, or a late posting, has settled the request already.
      if posted_amount is not null and (settle_ids[i] / 4294967296 = node_epoch
        or posted_late is not null or posted_shortfall is not null)
      then
        settle_late[i] := settle_ids[i] / 4294967296 <> node_epoch;
        settle_charged[i] := charged_before; settle_shortfalls[i] := coalesce(posted_shortfall, 0);
        posting_amounts[i] := null; settle_logged[i] := false;
        continue;
      end if;
    end if;
    select a.balance - a.held into available from accounts a where a.user_id = settle_users[i];
    if not found then
      raise exception 'no account % for request %', settle_users[i], settle_ids[i]
        using errcode = 'HB003';
    end if;
    -- A null, of a token without a cap, is ignored by least.
    available := least(available, (select s.cap - s.used - s.held from token_spend s
      where s.token_id = settle_tokens[i]));
    taken := least(settle_charges[i] - charged_before, greatest(available, 0));
    settle_shortfalls[i] := greatest(settle_charges[i] - charged_before - taken, 0);
    settle_charged[i] := charged_before + taken;
    posting_amounts[i] := taken + coalesce(settle_held[i], 0);
    if posted_amount is not null then
      -- A takeover has posted a part: the difference is a second row with the negative id.
      posting_ids[i] := -settle_ids[i];
      posting_kinds[i] := 'late';
      posting_amounts[i] := nullif(taken, 0);
    end if;
    update accounts a set balance = a.balance - coalesce(posting_amounts[i], 0),
        held = a.held - coalesce(settle_held[i], 0),
        used = a.used + coalesce(posting_amounts[i], 0),
        requests = a.requests + (posted_amount is null)::int
      where a.user_id = settle_users[i];
    update token_spend s set used = s.used + coalesce(posting_amounts[i], 0),
        held = s.held - coalesce(settle_held[i], 0),
        last_used_at = greatest(s.last_used_at, settle_times[i])
      where s.token_id = settle_tokens[i];
    if settle_shortfalls[i] > 0 then
      insert into shortfalls (id, user_id, amount, at, kind)
        values (settle_ids[i], settle_users[i], settle_shortfalls[i], settle_times[i],
          case when settle_unbounded[i] is not null then 'unbounded' end);
    end if;
  end loop;

  insert into transfers
      (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, usage)
    select u.id, u.at, u.kind, abs(u.id)::text, u.user_id, -1, u.amount, u.token_id,
      u.channel_id, u.price_id, u.usage
    from unnest(posting_ids, settle_times, posting_kinds, settle_users, posting_amounts,
      settle_tokens, settle_channels, settle_prices, settle_receipts)
      u(id, at, kind, user_id, amount, token_id, channel_id, price_id, usage)
    where u.amount is not null;
  insert into channel_used as c (channel_id, epoch, used, n)
    select u.channel_id, node_epoch, sum(u.amount), count(*) filter (where u.kind = 'request')
    from unnest(settle_channels, posting_amounts, posting_kinds) u(channel_id, amount, kind)
    where u.amount is not null group by 1 order by 1
    on conflict (channel_id, epoch) do update set used = c.used + excluded.used, n = c.n + excluded.n;
  if cardinality(log_ids) > 0 then
    insert into logs (id, user_id, created_at, type, content, username, token_name, model_name,
        quota, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, source_ip,
        metadata, cost, cost_version, cost_kind)
      select u.id, u.user_id, u.created, u.type, u.content, u.username, u.token, u.model,
        settle_charged[u.settle], u.prompt, u.completion, u.channel, u.took, u.stream, u.ip,
        u.metadata, u.cost, u.version, u.cost_kind
      from unnest(log_settles, log_ids, log_users, log_times, log_types, log_contents,
        log_usernames, log_token_names, log_models, log_prompt_tokens, log_completion_tokens,
        log_channels, log_durations, log_streams, log_ips, log_metadata,
        log_costs, log_cost_versions, log_cost_kinds)
        u(settle, id, user_id, created, type, content, username, token, model, prompt, completion,
          channel, took, stream, ip, metadata, cost, version, cost_kind)
      where settle_logged[u.settle]
      on conflict do nothing;
  end if;`

/** Records what attempts may cost that did not answer their call. */
export const attempts = `
  insert into attempt_costs select * from json_populate_recordset(null::attempt_costs, attempt_rows)
    on conflict do nothing;`

/** Ends holds without a charge. */
export const voids = `
  with closed as (delete from holds h where h.id = any (void_ids) returning h.*),
  a as (update accounts a set held = a.held - t.amount
    from (select user_id, sum(amount)::bigint amount from closed group by 1) t
    where a.user_id = t.user_id),
  s as (update token_spend s set held = s.held - t.amount
    from (select token_id, sum(amount)::bigint amount from closed group by 1) t
    where s.token_id = t.token_id)
  delete from idempotency i using closed where i.request_id = closed.id;`

/** Ends holds of a dead epoch at their accrued amount. */
export const recover = `
  for i in 1 .. cardinality(recover_ids) loop
    delete from holds h where h.id = recover_ids[i] returning h.* into hold_row;
    continue when not found;
    taken := least(hold_row.accrued, hold_row.amount);
    update accounts a set balance = a.balance - taken, held = a.held - hold_row.amount,
        used = a.used + taken, requests = a.requests + (hold_row.accrued > 0)::int
      where a.user_id = hold_row.user_id;
    update token_spend s set used = s.used + taken, held = s.held - hold_row.amount
      where s.token_id = hold_row.token_id;
    if hold_row.accrued = 0 then
      delete from idempotency d where d.request_id = hold_row.id;
      continue;
    end if;
    -- Only the dead node knew the channel: the posting has channel 0.
    insert into transfers
        (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, usage)
      values (hold_row.id, recover_times[i], 'request', hold_row.id::text, hold_row.user_id, -1, taken,
        hold_row.token_id, 0, hold_row.price_id, hold_row.usage);
    insert into channel_used as c (channel_id, epoch, used, n) values (0, node_epoch, taken, 1)
      on conflict (channel_id, epoch) do update set used = c.used + excluded.used, n = c.n + 1;
  end loop;`
