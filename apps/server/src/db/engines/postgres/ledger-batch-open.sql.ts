// Parts of the body of `ledger_batch_v2`. Its parameters and variables are declared in `ledger-batch-parameters.ts` and
// `ledger-batch.sql.ts`.

/** Stores what each hold has accrued, and extends it by the available points. */
export const checkpoint = `
  checkpoint_granted := array_fill(-1::bigint, array[checkpoint_count]);
  for i in 1 .. checkpoint_count loop
    update holds h set accrued = checkpoint_accrued[i], usage = checkpoint_receipts[i]
      where h.id = checkpoint_ids[i] and h.epoch = node_epoch returning h.* into hold_row;
    continue when not found;
    taken := 0;
    if checkpoint_wants[i] > 0 then
      select greatest(0, least(checkpoint_wants[i], a.balance - a.held,
          coalesce(s.cap - s.used - s.held, checkpoint_wants[i]))) into taken
        from accounts a, token_spend s
        where a.user_id = hold_row.user_id and a.frozen = 0
          and s.token_id = hold_row.token_id and s.user_id = hold_row.user_id and s.status = 1;
      taken := coalesce(taken, 0);
    end if;
    if taken > 0 then
      update holds h set amount = h.amount + taken where h.id = checkpoint_ids[i];
      update accounts a set held = a.held + taken where a.user_id = hold_row.user_id;
      update token_spend s set held = s.held + taken where s.token_id = hold_row.token_id;
    end if;
    checkpoint_granted[i] := taken;
  end loop;`

/** Reads why hold i is refused. Other holds are named only where nothing else is in the way. */
const explainRefusal = `
      select case when s.status <> 1 then 'token-disabled'
          when s.expires_at <> -1 and s.expires_at <= hold_times[i] then 'token-expired'
          when s.cap - s.used < hold_amounts[i] then 'token-exhausted'
          when a.frozen = 1 then 'frozen'
          when a.balance >= hold_amounts[i] then 'held'
          else 'balance' end,
          case when s.cap - s.used - s.held < hold_amounts[i] then s.held else a.held end
        into found_text, found_held
        from token_spend s left join accounts a on a.user_id = s.user_id
        where s.token_id = hold_tokens[i] and s.user_id = hold_users[i];
      hold_refusals[i] := coalesce(found_text, 'token-disabled');
      if found_text = 'held' then hold_held[i] := found_held; end if;`

/** Leaves out holds that exist, those that must be alone and are not, and those whose Idempotency-Key has another owner. */
const claim = `
  hold_refusals := array_fill(null::text, array[hold_count]);
  duplicate_requests := array_fill(null::bigint, array[hold_count]);
  duplicate_bodies := array_fill(null::text, array[hold_count]);
  hold_fits := array_fill(true, array[hold_count]);
  hold_held := array_fill(null::bigint, array[hold_count]);
  -- A hold that exists was requested before, and is not repeated.
  select array_agg(h.id) into known_ids from holds h where h.id = any (hold_ids);
  if is_replay then
    select known_ids || array_agg(t.id) into known_ids from transfers t where t.id = any (hold_ids);
  end if;
  for i in 1 .. hold_count loop
    if hold_ids[i] = any (known_ids) then
      -- Empty text: successful, but nothing to insert.
      hold_refusals[i] := ''; hold_fits[i] := false;
      continue;
    end if;
    if hold_unbounded[i] = 1 then
      if coalesce(hold_users[i] = any (alone_users), false) or exists (
        select 1 from holds h where h.user_id = hold_users[i] and h.unbounded = 1)
      then
        hold_fits[i] := false;
        ${explainRefusal}
        continue;
      end if;
      alone_users := alone_users || hold_users[i];
    end if;
    continue when hold_key_hashes[i] is null;
    loop
      insert into idempotency (key_hash, body_hash, request_id, at)
        values (hold_key_hashes[i], hold_body_hashes[i], hold_ids[i], hold_times[i])
        on conflict do nothing;
      exit when found;
      select d.request_id, d.body_hash into key_owner, found_text from idempotency d
        where d.key_hash = hold_key_hashes[i];
      -- Not found: its request was voided a moment ago, and the key is free.
      continue when not found;
      if key_owner <> hold_ids[i] then
        hold_refusals[i] := 'duplicate'; hold_fits[i] := false;
        duplicate_requests[i] := key_owner; duplicate_bodies[i] := found_text;
      end if;
      exit;
    end loop;
  end loop;`

/** Finds the holds of a user that fit together, on every token. They are reserved as a set. */
const findFitting = `
  with requested as (select * from unnest(hold_users, hold_tokens, hold_amounts, hold_times, hold_fits)
      with ordinality u(user_id, token_id, amount, at, open, ord)),
  tokens as (select q.user_id, q.token_id, coalesce(bool_and(s.status = 1
        and (s.expires_at = -1 or s.expires_at > q.at))
        and coalesce(min(s.cap - s.used - s.held) >= sum(q.amount), true), false) ok
      from requested q left join token_spend s on s.token_id = q.token_id and s.user_id = q.user_id
      where q.open group by 1, 2),
  users as (select q.user_id, coalesce(min(a.frozen) = 0
        and min(a.balance - a.held) >= sum(q.amount), false) ok
      from requested q left join accounts a on a.user_id = q.user_id where q.open group by 1)
  select array_agg(q.open and x.ok order by q.ord) into hold_fits from requested q
    left join (select u.user_id, u.ok and bool_and(t.ok) ok
      from users u join tokens t on t.user_id = u.user_id group by u.user_id, u.ok) x
      on x.user_id = q.user_id;`

/** Reserves the others one by one: each guard is part of its update. */
const reserveOneByOne = `
  for i in 1 .. hold_count loop
    continue when hold_fits[i] or hold_refusals[i] is not null;
    update token_spend s set held = s.held + hold_amounts[i]
      where s.token_id = hold_tokens[i] and s.user_id = hold_users[i] and s.status = 1
        and (s.expires_at = -1 or s.expires_at > hold_times[i])
        and (s.cap is null or s.cap - s.used - s.held >= hold_amounts[i]);
    if not found then
      ${explainRefusal}
    else
      update accounts a set held = a.held + hold_amounts[i]
        where a.user_id = hold_users[i] and a.frozen = 0 and a.balance - a.held >= hold_amounts[i];
      if not found then
        update token_spend s set held = s.held - hold_amounts[i] where s.token_id = hold_tokens[i];
        ${explainRefusal}
      end if;
    end if;
    if hold_refusals[i] is not null and hold_key_hashes[i] is not null then
      delete from idempotency d where d.request_id = hold_ids[i];
    end if;
  end loop;`

const reserveFitting = `
  update accounts a set held = a.held + t.amount
    from (select u.user_id, sum(u.amount)::bigint amount
      from unnest(hold_users, hold_amounts, hold_fits) u(user_id, amount, fits) where u.fits group by 1) t
    where a.user_id = t.user_id;
  update token_spend s set held = s.held + t.amount
    from (select u.token_id, sum(u.amount)::bigint amount
      from unnest(hold_tokens, hold_amounts, hold_fits) u(token_id, amount, fits) where u.fits group by 1) t
    where s.token_id = t.token_id;`

const insertHolds = `
  insert into holds (id, user_id, token_id, epoch, amount, accrued, price_id, usage, opened_at,
      unbounded)
    select u.id, u.user_id, u.token_id, node_epoch, u.amount, 0, u.price_id, '', u.at,
      nullif(u.unbounded, 0)
    from unnest(hold_ids, hold_users, hold_tokens, hold_amounts, hold_prices, hold_times,
        hold_unbounded, hold_refusals)
      u(id, user_id, token_id, amount, price_id, at, unbounded, refusal)
    where u.refusal is null;`

/** Reserves points and inserts holds. */
export const hold: string = [claim, findFitting, reserveOneByOne, reserveFitting, insertHolds].join(
  '\n',
)
