import { addressStateOf } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { api, isRoot, query, useSession, useSite } from '../../api/index.ts'
import { useAction, useT } from '../../ui/index.ts'

type Address = {
  /** The address of the site; empty while nobody set it. */
  address: string
  /** The operator accepts links that lead to this machine only. */
  isTrial: boolean
}

export const isReachable = ({ address, isTrial }: Address): boolean => {
  const state = addressStateOf(address)
  return state === 'public' || (state === 'loopback' && isTrial)
}

/** One sentence at a switch that needs the address of the site, with the address bar's origin for one click. */
export const AddressNeeded = ({
  address,
  use,
}: Pick<Address, 'address'> & { use?: ((origin: string) => void) | undefined }) => {
  const t = useT()
  const { origin } = window.location
  const isHere = addressStateOf(origin) === 'loopback'
  return (
    <Box
      role="note"
      sx={{ mt: 0.75, fontSize: 13, color: 'warning.main', overflowWrap: 'anywhere' }}
    >
      {address === '' ? t('common.address.unset') : t('common.address.loopback', { address })}{' '}
      {isHere && t('common.address.trial')}{' '}
      {use && origin !== address && (
        <Button size="small" sx={{ verticalAlign: 'baseline' }} onClick={() => use(origin)}>
          {t('common.address.use', { origin })}
        </Button>
      )}
    </Box>
  )
}

/** The sentence for forms outside of the settings. Only a super administrator changes the address. */
export const SiteAddressNeeded = () => {
  const site = useSite()
  const canChange = isRoot(useSession())
  const settings = useQuery({ ...query(api.settings.list), enabled: canChange })
  const isTrial = settings.data?.some(
    ({ key, value }) => key === 'LocalTrialEnabled' && value === 'true',
  )
  const update = useAction(['settings', 'status'], api.settings.update, {
    successKey: 'common.address.used',
  })
  const address = site.server_address
  if (isReachable({ address, isTrial: isTrial ?? false })) return null
  const use = (value: string) => void update({ key: 'ServerAddress', value })
  return <AddressNeeded address={address} use={canChange ? use : undefined} />
}
