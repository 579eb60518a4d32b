// Named by version: two releases can run side by side on one database, each with its own.
// READ COMMITTED: every statement inside sees what the one before it did. The rows of all accounts and tokens are
// locked first, in the order of their ids, so that what is read is still true when it is written, and no two batches
// wait for each other. Sets where everything fits; one by one where something does not.

const parameters = `
  me bigint, replayed boolean,
  s_id bigint[], s_user bigint[], s_token bigint[], s_channel bigint[], s_charge bigint[],
  s_price bigint[], s_at bigint[], s_usage text[],
  l_settle int[], l_id bigint[], l_user bigint[], l_created bigint[], l_type bigint[],
  l_content text[], l_username text[], l_token text[], l_model text[], l_prompt bigint[],
  l_completion bigint[], l_channel bigint[], l_time bigint[], l_stream bigint[], l_ip text[],
  l_metadata text[],
  v_id bigint[], r_id bigint[], r_at bigint[],
  c_id bigint[], c_accrued bigint[], c_want bigint[], c_usage text[],
  h_id bigint[], h_user bigint[], h_token bigint[], h_amount bigint[], h_price bigint[],
  h_at bigint[], h_key text[], h_body text[]`

const lock = `
  perform 1 from nodes where epoch = me and state = 'live' for share;
  if not found then
    raise exception 'epoch % is not live', me using errcode = 'HB001';
  end if;
  if n_s = 0 and n_c = 0 and cardinality(v_id) = 0 and cardinality(r_id) = 0 then
    -- A settle that follows flushes these holds too, and a lost one settles as late.
    perform set_config('synchronous_commit', 'off', true);
  end if;
  select array_agg(h.user_id), array_agg(h.token_id) into o_user, o_token from holds h
    where h.id = any (s_id || v_id || r_id || c_id);
  perform 1 from accounts where user_id = any (s_user || h_user || o_user)
    order by user_id for no key update;
  perform 1 from token_spend where token_id = any (s_token || h_token || o_token)
    order by token_id for no key update;`

const settle = `
  with gone as (delete from holds h where h.id = any (s_id) returning h.*)
  select array_agg(g.amount order by u.ord),
         array_agg(coalesce(g.user_id, u.user_id) order by u.ord),
         array_agg(coalesce(g.token_id, u.token_id) order by u.ord)
    into s_held, s_user, s_token
    from unnest(s_id, s_user, s_token) with ordinality u(id, user_id, token_id, ord)
    left join gone g on g.id = u.id;

  update accounts a set balance = a.balance - t.charge, held = a.held - t.held,
      used = a.used + t.charge, requests = a.requests + t.n
    from (select u.user_id, sum(u.charge)::bigint charge, sum(u.held)::bigint held, count(*) n
      from unnest(s_user, s_charge, s_held) u(user_id, charge, held)
      where u.charge <= u.held group by 1) t
    where a.user_id = t.user_id;
  update token_spend s set used = s.used + t.charge, held = s.held - t.held,
      last_used_at = greatest(s.last_used_at, t.at)
    from (select u.token_id, sum(u.charge)::bigint charge, sum(u.held)::bigint held, max(u.at) at
      from unnest(s_token, s_charge, s_held, s_at) u(token_id, charge, held, at)
      where u.charge <= u.held group by 1) t
    where s.token_id = t.token_id;

  t_id := s_id; t_amount := s_charge; t_kind := array_fill('request'::text, array[n_s]);
  total := s_charge; short := array_fill(0::bigint, array[n_s]);
  late := array_fill(false, array[n_s]); logged := array_fill(true, array[n_s]);

  for i in 1 .. n_s loop
    continue when s_charge[i] <= s_held[i];
    before := coalesce(s_held[i], 0);
    posted := null;
    if s_held[i] is null then
      late[i] := true;
      select t.amount, l.amount, f.amount into posted, posted_late, posted_short from transfers t
        left join transfers l on l.id = -t.id left join shortfalls f on f.id = t.id
        where t.id = s_id[i];
      before := coalesce(posted, 0) + coalesce(posted_late, 0);
      if posted is not null and
        (s_id[i] / 4294967296 = me or posted_late is not null or posted_short is not null)
      then
        late[i] := s_id[i] / 4294967296 <> me;
        total[i] := before; short[i] := coalesce(posted_short, 0);
        t_amount[i] := null; logged[i] := false;
        continue;
      end if;
    end if;
    select a.balance - a.held into free from accounts a where a.user_id = s_user[i];
    if not found then
      raise exception 'no account % for request %', s_user[i], s_id[i] using errcode = 'HB003';
    end if;
    taken := least(s_charge[i] - before, greatest(free, 0));
    short[i] := greatest(s_charge[i] - before - taken, 0);
    total[i] := before + taken;
    t_amount[i] := taken + coalesce(s_held[i], 0);
    if posted is not null then
      t_id[i] := -s_id[i]; t_kind[i] := 'late'; t_amount[i] := nullif(taken, 0);
    end if;
    update accounts a set balance = a.balance - coalesce(t_amount[i], 0),
        held = a.held - coalesce(s_held[i], 0), used = a.used + coalesce(t_amount[i], 0),
        requests = a.requests + (posted is null)::int
      where a.user_id = s_user[i];
    update token_spend s set used = s.used + coalesce(t_amount[i], 0),
        held = s.held - coalesce(s_held[i], 0), last_used_at = greatest(s.last_used_at, s_at[i])
      where s.token_id = s_token[i];
    if short[i] > 0 then
      insert into shortfalls (id, user_id, amount, at) values (s_id[i], s_user[i], short[i], s_at[i]);
    end if;
  end loop;

  insert into transfers
      (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, usage)
    select u.id, u.at, u.kind, abs(u.id)::text, u.user_id, -1, u.amount, u.token_id,
      u.channel_id, u.price_id, u.usage
    from unnest(t_id, s_at, t_kind, s_user, t_amount, s_token, s_channel, s_price, s_usage)
      u(id, at, kind, user_id, amount, token_id, channel_id, price_id, usage)
    where u.amount is not null;
  insert into channel_used as c (channel_id, epoch, used, n)
    select u.channel_id, me, sum(u.amount), count(*) filter (where u.kind = 'request')
    from unnest(s_channel, t_amount, t_kind) u(channel_id, amount, kind)
    where u.amount is not null group by 1 order by 1
    on conflict (channel_id, epoch) do update set used = c.used + excluded.used, n = c.n + excluded.n;
  if cardinality(l_id) > 0 then
    insert into logs (id, user_id, created_at, type, content, username, token_name, model_name,
        quota, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, source_ip,
        metadata)
      select u.id, u.user_id, u.created, u.type, u.content, u.username, u.token, u.model,
        total[u.settle], u.prompt, u.completion, u.channel, u.took, u.stream, u.ip, u.metadata
      from unnest(l_settle, l_id, l_user, l_created, l_type, l_content, l_username, l_token,
        l_model, l_prompt, l_completion, l_channel, l_time, l_stream, l_ip, l_metadata)
        u(settle, id, user_id, created, type, content, username, token, model, prompt, completion,
          channel, took, stream, ip, metadata)
      where logged[u.settle]
      on conflict do nothing;
  end if;`

const voids = `
  with gone as (delete from holds h where h.id = any (v_id) returning h.*),
  a as (update accounts a set held = a.held - t.amount
    from (select user_id, sum(amount)::bigint amount from gone group by 1) t
    where a.user_id = t.user_id),
  s as (update token_spend s set held = s.held - t.amount
    from (select token_id, sum(amount)::bigint amount from gone group by 1) t
    where s.token_id = t.token_id)
  delete from idempotency i using gone where i.request_id = gone.id;`

const recover = `
  for i in 1 .. cardinality(r_id) loop
    delete from holds h where h.id = r_id[i] returning h.* into gone;
    continue when not found;
    taken := least(gone.accrued, gone.amount);
    update accounts a set balance = a.balance - taken, held = a.held - gone.amount,
        used = a.used + taken, requests = a.requests + (gone.accrued > 0)::int
      where a.user_id = gone.user_id;
    update token_spend s set used = s.used + taken, held = s.held - gone.amount
      where s.token_id = gone.token_id;
    if gone.accrued = 0 then
      delete from idempotency d where d.request_id = gone.id;
      continue;
    end if;
    -- Which channel served it only its owner knew.
    insert into transfers
        (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, usage)
      values (gone.id, r_at[i], 'request', gone.id::text, gone.user_id, -1, taken, gone.token_id, 0,
        gone.price_id, gone.usage);
    insert into channel_used as c (channel_id, epoch, used, n) values (0, me, taken, 1)
      on conflict (channel_id, epoch) do update set used = c.used + excluded.used, n = c.n + 1;
  end loop;`

const checkpoint = `
  granted := array_fill(-1::bigint, array[n_c]);
  for i in 1 .. n_c loop
    update holds h set accrued = c_accrued[i], usage = c_usage[i]
      where h.id = c_id[i] and h.epoch = me returning h.* into gone;
    continue when not found;
    taken := 0;
    if c_want[i] > 0 then
      select greatest(0, least(c_want[i], a.balance - a.held,
          coalesce(s.cap - s.used - s.held, c_want[i]))) into taken
        from accounts a, token_spend s
        where a.user_id = gone.user_id and a.frozen = 0
          and s.token_id = gone.token_id and s.user_id = gone.user_id and s.status = 1;
      taken := coalesce(taken, 0);
    end if;
    if taken > 0 then
      update holds h set amount = h.amount + taken where h.id = c_id[i];
      update accounts a set held = a.held + taken where a.user_id = gone.user_id;
      update token_spend s set held = s.held + taken where s.token_id = gone.token_id;
    end if;
    granted[i] := taken;
  end loop;`

const hold = `
  why := array_fill(null::text, array[n_h]);
  other := array_fill(null::bigint, array[n_h]); body := array_fill(null::text, array[n_h]);
  fits := array_fill(true, array[n_h]);
  -- What is there already was asked for before.
  select array_agg(h.id) into known from holds h where h.id = any (h_id);
  if replayed then
    select known || array_agg(t.id) into known from transfers t where t.id = any (h_id);
  end if;
  for i in 1 .. n_h loop
    if h_id[i] = any (known) then
      why[i] := ''; fits[i] := false;
      continue;
    end if;
    continue when h_key[i] is null;
    loop
      insert into idempotency (key_hash, body_hash, request_id, at)
        values (h_key[i], h_body[i], h_id[i], h_at[i]) on conflict do nothing;
      exit when found;
      select d.request_id, d.body_hash into found_id, text_found from idempotency d
        where d.key_hash = h_key[i];
      -- Not found: its request was given back a moment ago, and the key is free.
      continue when not found;
      if found_id <> h_id[i] then
        why[i] := 'duplicate'; fits[i] := false; other[i] := found_id; body[i] := text_found;
      end if;
      exit;
    end loop;
  end loop;

  -- A user whose holds fit together, on every token, is done as a set.
  with asked as (select * from unnest(h_user, h_token, h_amount, h_at, fits)
      with ordinality u(user_id, token_id, amount, at, open, ord)),
  tokens as (select q.user_id, q.token_id, coalesce(bool_and(s.status = 1
        and (s.expires_at = -1 or s.expires_at > q.at))
        and coalesce(min(s.cap - s.used - s.held) >= sum(q.amount), true), false) ok
      from asked q left join token_spend s on s.token_id = q.token_id and s.user_id = q.user_id
      where q.open group by 1, 2),
  users as (select q.user_id, coalesce(min(a.frozen) = 0
        and min(a.balance - a.held) >= sum(q.amount), false) ok
      from asked q left join accounts a on a.user_id = q.user_id where q.open group by 1)
  select array_agg(q.open and x.ok order by q.ord) into fits from asked q
    left join (select u.user_id, u.ok and bool_and(t.ok) ok
      from users u join tokens t on t.user_id = u.user_id group by u.user_id, u.ok) x
      on x.user_id = q.user_id;

  for i in 1 .. n_h loop
    continue when fits[i] or why[i] is not null;
    update token_spend s set held = s.held + h_amount[i]
      where s.token_id = h_token[i] and s.user_id = h_user[i] and s.status = 1
        and (s.expires_at = -1 or s.expires_at > h_at[i])
        and (s.cap is null or s.cap - s.used - s.held >= h_amount[i]);
    if not found then
      select case when s.status <> 1 then 'token-disabled'
          when s.expires_at <> -1 and s.expires_at <= h_at[i] then 'token-expired'
          else 'token-exhausted' end into text_found
        from token_spend s where s.token_id = h_token[i] and s.user_id = h_user[i];
      why[i] := coalesce(text_found, 'token-disabled');
    else
      update accounts a set held = a.held + h_amount[i]
        where a.user_id = h_user[i] and a.frozen = 0 and a.balance - a.held >= h_amount[i];
      if not found then
        update token_spend s set held = s.held - h_amount[i] where s.token_id = h_token[i];
        select case a.frozen when 1 then 'frozen' else 'balance' end into text_found
          from accounts a where a.user_id = h_user[i];
        why[i] := coalesce(text_found, 'balance');
      end if;
    end if;
    if why[i] is not null and h_key[i] is not null then
      delete from idempotency d where d.request_id = h_id[i];
    end if;
  end loop;

  update accounts a set held = a.held + t.amount
    from (select u.user_id, sum(u.amount)::bigint amount
      from unnest(h_user, h_amount, fits) u(user_id, amount, fits) where u.fits group by 1) t
    where a.user_id = t.user_id;
  update token_spend s set held = s.held + t.amount
    from (select u.token_id, sum(u.amount)::bigint amount
      from unnest(h_token, h_amount, fits) u(token_id, amount, fits) where u.fits group by 1) t
    where s.token_id = t.token_id;
  insert into holds (id, user_id, token_id, epoch, amount, accrued, price_id, usage, opened_at)
    select u.id, u.user_id, u.token_id, me, u.amount, 0, u.price_id, '', u.at
    from unnest(h_id, h_user, h_token, h_amount, h_price, h_at, why)
      u(id, user_id, token_id, amount, price_id, at, why)
    where u.why is null;`

const body = `
declare
  n_s int := cardinality(s_id); n_c int := cardinality(c_id); n_h int := cardinality(h_id);
  o_user bigint[]; o_token bigint[];
  s_held bigint[]; t_id bigint[]; t_amount bigint[]; t_kind text[];
  total bigint[]; short bigint[]; late boolean[]; logged boolean[];
  before bigint; posted bigint; posted_late bigint; posted_short bigint; free bigint; taken bigint;
  gone holds%rowtype; granted bigint[];
  known bigint[]; why text[]; other bigint[]; body text[]; fits boolean[];
  found_id bigint; text_found text;
begin
  ${lock}
  if n_s > 0 then ${settle} end if;
  if cardinality(v_id) > 0 then ${voids} end if;
  ${recover}
  if n_c > 0 then ${checkpoint} end if;
  if n_h > 0 then ${hold} end if;
  return json_build_object('total', total, 'short', short, 'late', late, 'granted', granted,
    'why', why, 'other', other, 'body', body);
end`

export const ledgerBatch: string[] = [
  `create function ledger_batch_v1(${parameters}) returns json language plpgsql as $ledger$
    #variable_conflict use_column
    ${body} $ledger$`,
]
