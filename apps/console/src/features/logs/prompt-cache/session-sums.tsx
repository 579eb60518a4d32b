import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { CacheSums } from '../../../domain/prompt-cache/cache-sums.tsx'
import { Card, useAddress, useT } from '../../../ui/index.ts'

/** Shows how much prompt caches read and missed of the session that the list is filtered by. */
export const SessionSums = ({ isAdmin }: { isAdmin: boolean }) => {
  const [params] = useAddress()
  const session = params.get('session')
  return session ? <Sums {...{ session, isAdmin }} username={params.get('username')} /> : null
}

type SumsProps = { session: string; username: string | null; isAdmin: boolean }

const Sums = ({ session, username, isAdmin }: SumsProps) => {
  const t = useT()
  const { data } = useQuery(
    isAdmin
      ? query(api.logs.sessionCache, { session, ...(username && { username }) })
      : query(api.logs.selfSessionCache, { session }),
  )
  // A filter by a part of a key finds no calls.
  if (!data || data.calls === 0) return null
  return (
    <Box sx={{ mb: 1.5 }}>
      <Card title={t('prompt-cache.session')} intro={t('prompt-cache.sessionText')}>
        <CacheSums figures={data} isComplete={data.complete} />
      </Card>
    </Box>
  )
}
