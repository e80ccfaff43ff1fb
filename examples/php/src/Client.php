<?php declare(strict_types=1);

namespace Shop;

/** The merchant API of the provider. */
final class Client
{
    public function __construct(
        private readonly string $url,
        private readonly string $key,
        private readonly Transport $transport,
        public readonly float $timeout = 10,
    ) {
    }

    /** Asks for a token. Nothing is bought yet. */
    public function initiate(array $purchase): string
    {
        return $this->call('POST', 'initiate', $purchase)['token'];
    }

    /** Buys, and returns the number of the policy. A token buys once, however often it is sent. */
    public function verify(string $token): string
    {
        return $this->call('POST', 'verify', ['token' => $token])['policy_no'];
    }

    /** Renews once, and is not sent again. A renewal has no token, so a second one would be paid too. */
    public function topUp(array $renewal): void
    {
        $this->send('POST', 'top_up', $renewal);
    }

    /** How many periods of a policy are paid. */
    public function periods(string $policyNo): int
    {
        return $this->call('GET', "validate_policy/$policyNo")['subscriptions_no'];
    }

    /**
     * The policies sold since a day, from every page of the list.
     *
     * @return iterable<array<string, mixed>>
     */
    public function policies(\DateTimeImmutable $since): iterable
    {
        for ($page = 1, $last = 1; $page <= $last; $page++) {
            $query = http_build_query(['start_date' => $since->format('Y-m-d'), 'page' => $page]);
            $list = $this->call('GET', "all_subscriptions?$query");
            yield from $list['data'];
            $last = $list['last_page'];
        }
    }

    /** Sends a call that does no harm if it is carried out twice. */
    private function call(string $method, string $path, ?array $body = null): array
    {
        try {
            return $this->send($method, $path, $body);
        } catch (Lost $lost) {
            sleep($lost->wait);
            return $this->send($method, $path, $body);
        }
    }

    private function send(string $method, string $path, ?array $body): array
    {
        [$status, $text, $wait] = $this->transport->send(
            $method,
            "$this->url/api/merchant/micro_health/$path",
            ['Authorization' => "Bearer $this->key", 'Content-Type' => 'application/json'],
            $body === null ? null : json_encode($body, JSON_THROW_ON_ERROR),
            $this->timeout,
        );
        $answer = json_decode($text, true);
        if ($status >= 500 || $status === 429 || !is_array($answer)) {
            // A gateway's page, half a response, or a service that is overloaded. It may ask for a wait.
            throw new Lost("$path returned $status.", wait: min((int) $wait, 5));
        }
        if (!$answer['success']) {
            throw new Refused($answer['data']['error']);
        }
        return $answer['data'];
    }
}
