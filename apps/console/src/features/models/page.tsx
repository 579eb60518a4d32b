import { Page, useT, useView, ViewToggle } from '../../ui/index.ts'
import { Models } from './models.tsx'

/** The models of one's own groups. */
export const ModelsPage = () => {
  const t = useT()
  const [view, setView] = useView()
  return (
    <Page
      title={t('models.title')}
      intro={t('models.intro')}
      actions={<ViewToggle view={view} setView={setView} />}
    >
      <Models view={view} />
    </Page>
  )
}
