import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { CacheTiles } from '../../../domain/prompt-cache/cache-tiles.tsx'
import { Card, useAddress, useT } from '../../../ui/index.ts'

/** What prompt caches read and missed of the session that the list is filtered by. */
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
    <Card title={t('prompt-cache.session')} intro={t('prompt-cache.sessionText')}>
      <CacheTiles figures={data} isComplete={data.complete} />
    </Card>
  )
}
