import { Notifications } from '@mantine/notifications';

export default function NotificationList() {
  return <Notifications position="bottom-right" limit={3} autoClose={3000} />;
}
