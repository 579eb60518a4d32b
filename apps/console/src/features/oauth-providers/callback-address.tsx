import { useSite } from '../../api/index.ts'
import { serverAddress } from '../../domain/server-address.ts'
import { Copyable, useT } from '../../ui/index.ts'

/** The address that the operator enters at the provider, to which it sends users back. */
export const CallbackAddress = ({ slug }: { slug: string }) => {
  const t = useT()
  const { server_address } = useSite()
  return (
    <Copyable
      text={`${serverAddress(server_address)}/oauth/${slug}`}
      what={t('oauth-providers.callback')}
    />
  )
}
