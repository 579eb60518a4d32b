import { useNavigate } from 'react-router'
import { Card, Page, useT } from '../../../ui/index.ts'
import { CreateSteps } from './create-steps.tsx'

export const CreateChannelPage = () => {
  const t = useT()
  const navigate = useNavigate()
  return (
    <Page title={t('channels.create')} intro={t('channel-create.intro')} width={762}>
      <Card>
        <CreateSteps
          heading="h2"
          onFinish={channels => {
            const [only, ...others] = channels
            const isOne = only !== undefined && others.length === 0
            void navigate(isOne ? `/panel/channel/${only.id}` : '/panel/channel')
          }}
        />
      </Card>
    </Page>
  )
}
