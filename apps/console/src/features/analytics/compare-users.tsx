import type { ComparedUsers } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, useSite } from '../../api'
import { formatQuota, Quota } from '../../domain'
import {
  Card,
  Chart,
  Count,
  Duration,
  EmptyState,
  ErrorState,
  Field,
  formatCount,
  formatTime,
  useAddress,
  useT,
} from '../../ui'
import { seriesMax } from './figures.ts'
import { PeriodChoice } from './period-choice.tsx'
import { SumsTable } from './sums-table.tsx'
import { useScope } from './use-scope.ts'

const dateOf = (seconds: number) => formatTime(seconds).slice(0, 10)

/** Charged calls of some users side by side. The query stands in the address, so that a link repeats it. */
export const CompareUsers = () => {
  const t = useT()
  const scope = useScope()
  const [search] = useAddress()
  const usernames = search.get('usernames') ?? ''
  const [names, setNames] = useState(usernames)
  const [isEmpty, setEmpty] = useState(false)
  const ask = () => {
    setEmpty(names.trim() === '')
    if (names.trim()) scope.set({ usernames: names.trim() })
  }
  const params = {
    usernames,
    start_time: dateOf(scope.input.start_timestamp),
    end_time: dateOf(scope.input.end_timestamp),
  }
  return (
    <>
      <Box sx={{ mb: 2 }}>
        <PeriodChoice scope={scope} />
      </Box>
      <Card>
        <Box
          component="form"
          onSubmit={event => {
            event.preventDefault()
            ask()
          }}
          sx={formColumns}
        >
          <Field
            label={t('analytics.compare.names')}
            help={t('analytics.compare.namesHelp')}
            error={isEmpty ? t('analytics.compare.required') : undefined}
          >
            {({ id, describedBy, invalid }) => (
              <OutlinedInput
                id={id}
                fullWidth
                value={names}
                error={invalid}
                aria-describedby={describedBy}
                onChange={({ target }) => setNames(target.value)}
              />
            )}
          </Field>
          <Stack direction="row" spacing={1} sx={{ pt: { sm: '26px' } }}>
            <Button type="submit" variant="contained" sx={{ height: 40 }}>
              {t('analytics.compare.ask')}
            </Button>
            <Button
              variant="outlined"
              color="inherit"
              disabled={!usernames}
              href={`/api/analytics/multi_user_stats/export?${new URLSearchParams(params)}`}
              download
              sx={{ height: 40, borderColor: 'divider' }}
            >
              CSV
            </Button>
          </Stack>
        </Box>
      </Card>
      <Box sx={{ mt: 2 }}>
        {usernames ? (
          <Answer params={params} />
        ) : (
          <Card>
            <EmptyState
              title={t('analytics.compare.start')}
              text={t('analytics.compare.startText')}
            />
          </Card>
        )}
      </Box>
    </>
  )
}

const formColumns = {
  display: 'grid',
  gap: 1.5,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' },
} as const

type ComparisonQuery = { usernames: string; start_time: string; end_time: string }

const Answer = ({ params }: { params: ComparisonQuery }) => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.analytics.users, params))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={360} />
  const found = new Set(data.data.map(({ username }) => username))
  const missing = params.usernames
    .split(',')
    .map(each => each.trim())
    .filter(each => each && !found.has(each))
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <UserTable users={data} missing={missing} />
      {found.size > 0 && <ModelsChart users={data} />}
      {found.size === 0 && <EmptyState title={t('analytics.compare.nobody')} />}
    </Box>
  )
}

const columns = ['charged', 'requests', 'input', 'output', 'time'] as const

const UserTable = ({ users, missing }: { users: ComparedUsers; missing: string[] }) => {
  const t = useT()
  const intro = missing.length
    ? t('analytics.compare.missing', { names: missing.join(', ') })
    : t('analytics.compare.found', { users: formatCount(users.data.length) })
  return (
    <SumsTable
      title={t('analytics.compare.title')}
      intro={intro}
      names={t('analytics.groups.user')}
      columns={columns}
      rows={users.data.map(each => ({
        key: each.username,
        name: each.username,
        cells: [
          <Quota key="charged" value={each.quota} exact />,
          <Count key="requests" value={each.request_count} />,
          <Count key="input" value={each.prompt_tokens} />,
          <Count key="output" value={each.completion_tokens} />,
          <Duration key="time" ms={each.request_time} />,
        ],
      }))}
    />
  )
}

/** Calls of each user as one bar, parted by model. */
const ModelsChart = ({ users: { data, model_usage: usage } }: { users: ComparedUsers }) => {
  const t = useT()
  const site = useSite()
  const counts = new Map<string, number>()
  for (const { model_name, request_count } of usage)
    counts.set(model_name, (counts.get(model_name) ?? 0) + request_count)
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  const shown = names.slice(0, seriesMax)
  const callsOf = (username: string, isCounted: (model: string) => boolean) =>
    usage.reduce(
      (sum, row) =>
        row.username === username && isCounted(row.model_name) ? sum + row.request_count : sum,
      0,
    )
  const series = shown.map(name => ({
    label: name || t('analytics.others'),
    data: data.map(({ username }) => callsOf(username, model => model === name)),
  }))
  const rest = data.map(({ username }) => callsOf(username, model => !shown.includes(model)))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const charged = data.reduce((sum, { quota }) => sum + quota, 0)
  return (
    <Chart
      question={t('analytics.compare.models')}
      answer={t('analytics.compare.modelsAnswer', {
        calls: formatCount(total),
        amount: formatQuota(charged, site),
      })}
      labels={data.map(({ username }) => username)}
      series={
        total === 0
          ? []
          : [
              ...series,
              ...(rest.some(Boolean) ? [{ label: t('analytics.others'), data: rest }] : []),
            ]
      }
      format={formatCount}
      height={280}
      empty={<EmptyState title={t('analytics.empty')} text={t('analytics.emptyText')} />}
    />
  )
}
