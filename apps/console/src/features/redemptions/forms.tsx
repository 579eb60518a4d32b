import { PointsInput } from '../../domain/index.ts'
import { NewRedemptions, type Redemption, RedemptionPatch } from '@hub/contract'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import { FormDialog, useT } from '../../ui/index.ts'
import { MadeDialog } from './made-dialog.tsx'

const fields = {
  quota: { control: PointsInput },
  expired_time: { as: 'time' },
} as const

type Made = { name: string; codes: string[] }

/** What was made is shown at once: it is what the administrator came for. */
export const CreateRedemptions = () => {
  const t = useT()
  const [made, setMade] = useState<Made>()
  const create = useAction('redemptions', api.redemptions.create)
  const title = t('redemptions.create')
  const submit = async (input: Parameters<typeof create.attempt>[0]) => {
    const codes = await create.attempt(input)
    setMade({ name: input.name, codes })
  }
  return (
    <>
      <FormDialog
        resource="redemptions"
        title={title}
        submitLabel={title}
        schema={NewRedemptions}
        fieldOverrides={fields}
        submit={submit}
      />
      {made && <MadeDialog {...made} onClose={() => setMade(undefined)} />}
    </>
  )
}

export const EditRedemption = ({ code, onClose }: { code: Redemption; onClose: () => void }) => {
  const t = useT()
  const update = useAction('redemptions', api.redemptions.update, { successKey: 'redemptions.saved' })
  return (
    <FormDialog
      resource="redemptions"
      open
      onClose={onClose}
      title={t('redemptions.edit', { name: code.name })}
      submitLabel={t('redemptions.save')}
      schema={RedemptionPatch.omit({ status: true, status_only: true })}
      initialValues={code}
      fieldOverrides={{ ...fields, id: { hidden: true } }}
      submit={update}
    />
  )
}
