<?php declare(strict_types=1);

namespace Shop\Tests;

use PHPUnit\Framework\TestCase;
use Shop\{Client, CurlTransport, Lost, Refused, Shop, Transport};

/** The shop with curl alone. */
class ShopTest extends TestCase
{
    use Sandbox;

    private const VERIFY = 'verifyMicroHealthSubscription';
    private const DROP = ['kind' => 'drop'];
    private const ADA = [
        'first_name' => 'Ada',
        'surname' => 'Obi',
        'email' => 'ada@example.com',
        'phone_no' => '08031234567',
        'date_of_birth' => '1990-04-12',
        'product_id' => 1,
        'subscription_type' => 'monthly',
        'amount' => 700,
        'nin_number' => '12345678901',
        'first_beneficiary_full_name' => 'Bola Ade',
        'id_url' => 'https://files.example.com/id.png',
    ];

    protected function transport(): Transport
    {
        return new CurlTransport();
    }

    public function testAPolicyIsSold(): void
    {
        self::assertSame([$this->shop()->sell(self::ADA)], $this->policies());
    }

    public function testARefusalNamesEveryProblem(): void
    {
        try {
            $this->shop()->sell(['email' => 'ada', 'phone_no' => '0803'] + self::ADA);
            self::fail('The shop sold.');
        } catch (Refused $refusal) {
            $problems = ['The email field must be an e-mail address.', 'The phone_no field must be 11 digits.'];
            self::assertSame($problems, $refusal->problems);
        }
    }

    public function testACustomerWhoPaysLateGetsANewToken(): void
    {
        $shop = $this->shop();
        $order = $shop->order(self::ADA);
        $order->token = $this->client()->initiate(self::ADA);
        self::assertContains($order->token, array_column($this->merchant->advance('PT15M'), 'token'));
        self::assertSame([$shop->complete($order)], $this->policies());
    }

    public function testEveryPageOfTheListIsRead(): void
    {
        $this->merchant->seed(['micro_health' => 40]);
        $aYearAgo = $this->merchant->now()->sub(new \DateInterval('P1Y'));
        self::assertCount(40, iterator_to_array($this->client()->policies($aYearAgo), false));
    }

    public function testAPolicyWhoseResponseIsLostIsSoldOnce(): void
    {
        foreach (['drop', 'truncate', 'malformed'] as $kind) {
            $this->merchant->seed([]);
            $this->merchant->fault(self::VERIFY, ['kind' => $kind]);
            self::assertSame([$this->shop()->sell(self::ADA)], $this->policies(), $kind);
        }
    }

    public function testAPolicyWhoseResponseIsLateIsSoldOnce(): void
    {
        $this->merchant->fault(self::VERIFY, ['kind' => 'delay', 'ms' => 1000]);
        self::assertSame([$this->shop(0.5)->sell(self::ADA)], $this->policies());
    }

    public function testAReturningCustomerGetsTheNewPolicy(): void
    {
        // The table of orders does not have the first: another shop sold it.
        $first = $this->shop()->sell(self::ADA);
        $this->merchant->advance('PT1H');
        $this->merchant->fault(self::VERIFY, self::DROP);
        self::assertSame([$this->shop()->sell(self::ADA), $first], $this->policies());
    }

    public function testTheSixteenthSaleOfADayIsFoundOnTheSecondPage(): void
    {
        $shop = $this->shop();
        for ($sale = 1; $sale <= 15; $sale++) {
            $shop->sell(self::ADA);
        }
        $this->merchant->fault(self::VERIFY, self::DROP);
        self::assertSame($shop->sell(self::ADA), $this->policies()[0]);
        self::assertCount(16, $this->policies());
    }

    public function testTwoSalesToOneCustomerAtOnceAreTwoPolicies(): void
    {
        $shop = $this->shop();
        $bola = ['first_name' => 'Bola', 'email' => 'bola@example.com'] + self::ADA;
        $orders = array_map($shop->order(...), [self::ADA, self::ADA, $bola]);
        // Each response is lost, that of the second attempt too.
        $this->merchant->fault(self::VERIFY, self::DROP, times: 6);
        foreach ($orders as $order) {
            try {
                $shop->complete($order);
            } catch (Lost) {
                // Nobody knows how it ended.
            }
        }
        // In another order than they were made in.
        $sold = array_map($shop->complete(...), array_reverse($orders));
        self::assertEqualsCanonicalizing($this->policies(), $sold);
        $emails = array_column($this->merchant->records('micro_health'), 'email', 'policy_no');
        self::assertSame('bola@example.com', $emails[$sold[0]]);
    }

    public function testARenewalWhoseResponseIsLostIsPaidOnce(): void
    {
        $policy = $this->shop()->sell(self::ADA);
        foreach (['before' => 2, 'after' => 3] as $stage => $periods) {
            $this->merchant->fault('topUpMicroHealthSubscription', self::DROP, $stage);
            $this->shop()->renew($policy, self::ADA);
            self::assertSame($periods, $this->client()->periods($policy), $stage);
        }
    }

    public function testARenewalThatIsOnlyLateIsNotPaidTwice(): void
    {
        $policy = $this->shop()->sell(self::ADA);
        $this->merchant->fault('topUpMicroHealthSubscription', ['kind' => 'delay', 'ms' => 800], 'before');
        $this->shop(0.5)->renew($policy, self::ADA);
        self::assertSame(2, $this->client()->periods($policy));
    }

    private function client(float $timeout = 10): Client
    {
        return new Client(Merchant::$url, $this->merchant->key, $this->transport(), $timeout);
    }

    /** A shop without orders. Its clock is that of the merchant. */
    private function shop(float $timeout = 10): Shop
    {
        return new Shop($this->client($timeout), $this->merchant->now(...));
    }

    /** @return list<string> */
    private function policies(): array
    {
        return array_column($this->merchant->records('micro_health'), 'policy_no');
    }
}
