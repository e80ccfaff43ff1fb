<?php declare(strict_types=1);

namespace Shop;

/** Sends a request of HTTP. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @return array{int, string, string} the status, the body, and `Retry-After` or ''
     * @throws Lost if there is no whole response
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): array;
}
