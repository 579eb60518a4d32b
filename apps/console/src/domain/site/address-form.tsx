import { addressStateOf, settings } from '@hub/contract'
import { api } from '../../api/index.ts'
import { FormDialog, useAction, useT } from '../../ui/index.ts'

const SiteAddress = settings.site.pick({ ServerAddress: true, LocalTrialEnabled: true })

type AddressValues = { ServerAddress: string; LocalTrialEnabled: boolean }

/** Asks for the address of the site, which the address bar suggests. */
export const AddressForm = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const save = useAction(
    ['settings', 'status'],
    async (values: AddressValues) => {
      const { ServerAddress, LocalTrialEnabled } = values
      await api.settings.update({ key: 'ServerAddress', value: ServerAddress })
      if (LocalTrialEnabled) await api.settings.update({ key: 'LocalTrialEnabled', value: 'true' })
    },
    { successKey: 'common.address.used' },
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      resource="common.address"
      title={t('common.address.title')}
      submitLabel={t('common.address.save')}
      schema={SiteAddress}
      submit={save}
      initialValues={{ ServerAddress: window.location.origin, LocalTrialEnabled: false }}
      fieldOverrides={{
        ServerAddress: { as: 'text' },
        LocalTrialEnabled: {
          showWhen: values => addressStateOf(String(values.ServerAddress ?? '')) === 'loopback',
        },
      }}
    />
  )
}
