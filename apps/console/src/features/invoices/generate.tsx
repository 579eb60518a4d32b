import Button from '@mui/material/Button'
import { z } from 'zod'
import { api } from '../../api/index.ts'
import { FormDialog, notify, useAction, useDialog, useT } from '../../ui/index.ts'

const Month = z.object({
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-10'),
})

/** Makes the invoices of a past month that has none, or calculates its unpaid ones again. */
export const GenerateMenu = () => {
  const t = useT()
  const dialogs = { generate: useDialog('generate'), update: useDialog('update') }
  const mode = (['generate', 'update'] as const).find(each => dialogs[each].isOpen)
  const make = useAction('invoices', (time: string) => api.invoices[mode ?? 'generate']({ time }), {
    onSuccess: ({ created, changed, kept }) =>
      notify.success(t('invoices.made', { created, changed, kept })),
  })
  return (
    <>
      {(['generate', 'update'] as const).map(each => (
        <Button key={each} variant="outlined" color="inherit" onClick={() => dialogs[each].open()}>
          {t(`invoices.${each}.open`)}
        </Button>
      ))}
      <FormDialog
        resource="invoices"
        title={t(`invoices.${mode ?? 'generate'}.title`)}
        schema={Month}
        open={mode !== undefined}
        onClose={() => mode && dialogs[mode].close()}
        submitLabel={t(`invoices.${mode ?? 'generate'}.action`)}
        submit={make}
        transform={({ month }: z.output<typeof Month>) => `${month}-01`}
        fieldOverrides={{ month: { placeholder: '2026-10' } }}
      />
    </>
  )
}
