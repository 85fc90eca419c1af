// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {AuthorizationLens} from "../src/AuthorizationLens.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {FalseToken, GreedyToken, Loudmouth} from "./doubles/Tokens.sol";
import {BurningWallet, KeyWallet, SlowWallet, WalletFactory} from "./doubles/Wallets.sol";
import {HubTest} from "./support/HubTest.sol";
import {Signing} from "./support/Signing.sol";

contract AuthorizationLensTest is HubTest {
    /// @dev What relayers give a payer without code: core/chain/gas.ts.
    uint256 private constant PLAIN_GAS = 280_000;
    uint256 private constant WALLET_GAS = 300_000;
    uint8 private constant NO = 0;
    uint8 private constant YES = 1;
    uint8 private constant UNKNOWN = 2;
    uint8 private constant SKIPPED = 3;

    struct Facts {
        uint256 balance;
        uint64 gas;
        bytes8 codeHash;
        uint8 isToken;
        uint8 isUsed;
        uint8 isPayerListed;
        uint8 isPayeeListed;
        uint8 isPaused;
        uint8 succeeded;
        bytes reason;
    }

    address private payer;
    address private forwarder;

    function setUp() public override {
        super.setUp();
        payer = vm.addr(PAYER_KEY);
        forwarder = hub.forwarderAddress(MERCHANT);
        usdc.mint(payer, 10e6);
    }

    // What is read

    function test_a_payer_who_can_pay() public {
        Facts memory facts = one(query(payer, 10e6, "n1"));
        vm.assertEq(facts.balance, 10e6, "balance");
        vm.assertEq(facts.codeHash, 0, "hash of the payer's code");
        vm.assertEq(facts.isToken, YES, "token");
        assertFlags(facts, NO, NO, NO, NO);
        vm.assertEq(facts.succeeded, YES, "trial");
        vm.assertEq(facts.reason, "", "reason");
        vm.assertTrue(facts.gas > 30_000 && facts.gas < 120_000, "gas of the trial");
    }

    function test_the_answer_begins_with_the_block() public {
        bytes memory answer = ask(new AuthorizationLens.Query[](0));
        vm.assertEq(answer, abi.encode(block.number, block.timestamp), "block and time");
    }

    function test_nothing_of_a_trial_remains() public {
        one(query(payer, 10e6, "n1"));
        vm.assertEq(usdc.balanceOf(payer), 10e6, "payer");
        vm.assertEq(usdc.balanceOf(forwarder), 0, "forwarder");
        vm.assertFalse(usdc.authorizationState(payer, "n1"), "nonce");
    }

    function test_each_is_tried_as_if_it_were_the_only_one() public {
        AuthorizationLens.Query[] memory queries = new AuthorizationLens.Query[](3);
        queries[0] = query(payer, 10e6, "n1");
        queries[1] = query(payer, 10e6, "n2");
        queries[2] = query(payer, 10e6, "n1");
        Facts[] memory facts = all(queries);
        for (uint256 i; i < 3; ++i) vm.assertEq(facts[i].succeeded, YES, "trial");
    }

    function test_an_authorization_that_was_used() public {
        IRemitHub.Authorization memory item = authorization(MERCHANT, 4e6, "n1");
        settle(item);
        Facts memory facts = one(query(payer, 4e6, "n1"));
        vm.assertEq(facts.balance, 6e6, "what is left");
        assertFlags(facts, YES, NO, NO, NO);
        assertRefused(facts, words("FiatTokenV2: authorization is used or canceled"));
    }

    function test_a_payer_with_too_little() public {
        Facts memory facts = one(query(payer, 10e6 + 1, "n1"));
        vm.assertEq(facts.balance, 10e6, "balance");
        assertRefused(facts, words("ERC20: transfer amount exceeds balance"));
    }

    function test_a_payer_on_the_blacklist() public {
        usdc.blacklist(payer);
        Facts memory facts = one(query(payer, 1e6, "n1"));
        assertFlags(facts, NO, YES, NO, NO);
        assertRefused(facts, words("Blacklistable: account is blacklisted"));
    }

    function test_a_payee_on_the_blacklist() public {
        usdc.blacklist(forwarder);
        Facts memory facts = one(query(payer, 1e6, "n1"));
        assertFlags(facts, NO, NO, YES, NO);
        assertRefused(facts, words("Blacklistable: account is blacklisted"));
    }

    function test_without_a_trial_the_views_report_what_prevents_it() public {
        AuthorizationLens.Query memory item = query(payer, 10e6, "n1");
        item.isTried = false;
        Facts memory facts = one(item);
        vm.assertEq(facts.balance, 10e6, "balance");
        vm.assertEq(facts.succeeded, SKIPPED, "trial");
        assertFlags(facts, NO, NO, NO, NO);
        settle(authorization(MERCHANT, 4e6, "n1"));
        usdc.blacklist(payer);
        usdc.pause();
        assertFlags(one(item), YES, YES, NO, YES);
    }

    function test_a_wallet_is_tried_in_any_case() public {
        AuthorizationLens.Query memory item = query(address(usdc), 1e6, "n1");
        item.isTried = false;
        vm.assertEq(one(item).succeeded, NO, "trial");
    }

    function test_a_token_that_is_paused() public {
        usdc.pause();
        Facts memory facts = one(query(payer, 1e6, "n1"));
        assertFlags(facts, NO, NO, NO, YES);
        assertRefused(facts, words("Pausable: paused"));
    }

    function test_an_address_that_is_no_token() public {
        AuthorizationLens.Query memory item = query(payer, 1e6, "n1");
        item.token = STRANGER;
        Facts memory facts = one(item);
        vm.assertEq(facts.isToken, NO, "token");
        vm.assertEq(facts.balance, 0, "balance");
        assertFlags(facts, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
        assertRefused(facts, "");
    }

    function test_what_a_token_does_not_have_is_unknown() public {
        FalseToken token = new FalseToken();
        token.mint(payer, 3);
        AuthorizationLens.Query memory item = query(payer, 1e6, "n1");
        item.token = address(token);
        Facts memory facts = one(item);
        vm.assertEq(facts.balance, 3, "balance");
        assertFlags(facts, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
        assertRefused(facts, "");
    }

    // Payers with code

    function test_a_wallet_is_asked_with_the_bytes_meant_for_it() public {
        KeyWallet wallet = new KeyWallet(payer);
        usdc.mint(address(wallet), 1e6);
        AuthorizationLens.Query memory item = query(address(wallet), 1e6, "n1");
        item.walletCall = item.call;
        item.call = transferCall(address(wallet), 1e6, "n1", "no signature at all");
        Facts memory facts = one(item);
        vm.assertEq(facts.codeHash, bytes8(keccak256(address(wallet).code)), "hash of its code");
        vm.assertEq(facts.succeeded, YES, "trial");
    }

    function test_a_wallet_without_bytes_of_its_own_is_asked_with_the_others() public {
        KeyWallet wallet = new KeyWallet(payer);
        usdc.mint(address(wallet), 1e6);
        vm.assertEq(one(query(address(wallet), 1e6, "n1")).succeeded, YES, "trial");
        wallet = new KeyWallet(STRANGER);
        usdc.mint(address(wallet), 1e6);
        assertRefused(
            one(query(address(wallet), 1e6, "n1")), words("FiatTokenV2: invalid signature")
        );
    }

    function test_a_slow_wallet_needs_a_higher_cap() public {
        SlowWallet wallet = new SlowWallet(400_000);
        usdc.mint(address(wallet), 1e6);
        AuthorizationLens.Query memory item = query(address(wallet), 1e6, "n1");
        vm.assertEq(one(item).succeeded, NO, "not with this cap");
        item.walletGas = 600_000;
        vm.assertEq(one(item).succeeded, YES, "with a higher one");
    }

    function test_burning_wallets_tokens_and_factories_spoil_no_other() public {
        BurningWallet burning = new BurningWallet();
        AuthorizationLens.Query[] memory queries = new AuthorizationLens.Query[](5);
        queries[0] = query(address(burning), 0, "n1");
        queries[1] = query(payer, 1e6, "n1");
        queries[1].token = address(burning);
        queries[2] = query(payer, 1e6, "n1");
        queries[2].preparer = address(burning);
        queries[3] = query(payer, 1e6, "n1");
        queries[3].token = address(new Loudmouth());
        queries[4] = query(payer, 1e6, "n1");
        Facts[] memory facts = all(queries);
        assertRefused(facts[0], words("FiatTokenV2: invalid signature"));
        assertRefused(facts[1], "");
        vm.assertEq(facts[2].succeeded, YES, "a factory may fail: the token is still called");
        vm.assertEq(facts[3].succeeded, NO, "a token that talks too much");
        vm.assertEq(facts[3].reason.length, 132, "is cut short");
        vm.assertEq(facts[4].succeeded, YES, "the good one");
    }

    function test_a_plain_payer_gets_what_relayers_give() public {
        AuthorizationLens.Query memory item = query(payer, 1e6, "n1");
        item.token = address(new GreedyToken(PLAIN_GAS - 5_000));
        vm.assertEq(one(item).succeeded, YES, "just enough");
        item.token = address(new GreedyToken(PLAIN_GAS + 1));
        vm.assertEq(one(item).succeeded, NO, "too much");
    }

    function test_a_wallet_that_is_created_for_its_trial() public {
        WalletFactory factory = new WalletFactory();
        address wallet = factory.addressOf(payer);
        usdc.mint(wallet, 1e6);
        AuthorizationLens.Query memory item = query(wallet, 1e6, "n1");
        vm.assertEq(one(item).succeeded, NO, "not without its code");
        item.preparer = address(factory);
        item.preparation = abi.encodeCall(factory.create, (payer));
        Facts memory facts = one(item);
        vm.assertEq(facts.succeeded, YES, "trial");
        vm.assertEq(facts.codeHash, 0, "it has no code on the chain");
        vm.assertEq(wallet.code.length, 0, "and none remains");
    }

    // Arbitrary calls

    function testFuzz_no_call_spoils_another(bytes calldata data, address token) public {
        AuthorizationLens.Query[] memory queries = new AuthorizationLens.Query[](2);
        queries[0] = query(payer, 1e6, "n1");
        queries[0].call = data;
        queries[0].walletCall = data;
        queries[0].token = token;
        queries[1] = query(payer, 1e6, "n1");
        vm.assertEq(all(queries)[1].succeeded, YES, "the good one");
    }

    /// @dev EIP-150: a trial that could not be given its gas must not appear as a refusal.
    function testFuzz_no_supply_of_gas_makes_a_good_one_look_bad(uint256 gasLimit) public {
        gasLimit = within(gasLimit, 100_000, 4_000_000);
        WalletFactory factory = new WalletFactory();
        AuthorizationLens.Query[] memory queries = new AuthorizationLens.Query[](3);
        SlowWallet slow = new SlowWallet(200_000);
        usdc.mint(address(slow), 1e6);
        queries[0] = query(address(slow), 1e6, "n1");
        queries[1] = query(factory.addressOf(payer), 0, "n1");
        queries[1].preparer = address(factory);
        queries[1].preparation = abi.encodeCall(factory.create, (payer));
        queries[2] = query(payer, 1e6, "n1");
        try this.ask{gas: gasLimit}(queries) returns (bytes memory answer) {
            Facts[] memory facts = decode(answer, 3);
            for (uint256 i; i < 3; ++i) {
                vm.assertTrue(facts[i].succeeded != NO, "succeeded or not made");
                vm.assertEq(facts[i].reason, "", "no reason");
            }
        } catch {
            vm.assertLt(gasLimit, 3_000_000, "there was enough for an answer");
        }
    }

    // Queries and answers

    /// @dev An authorization in the name of any account, signed with the payer's key.
    function query(address from, uint256 value, bytes32 nonce)
        private
        view
        returns (AuthorizationLens.Query memory item)
    {
        bytes32 digest = Signing.transfer(
            "Transfer", address(usdc), from, forwarder, value, 0, block.timestamp + 1 hours, nonce
        );
        item.token = address(usdc);
        item.call = transferCall(from, value, nonce, packed(PAYER_KEY, digest));
        item.walletGas = WALLET_GAS;
        item.isTried = true;
    }

    function transferCall(address from, uint256 value, bytes32 nonce, bytes memory signature)
        private
        view
        returns (bytes memory)
    {
        return abi.encodeWithSignature(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
            from,
            forwarder,
            value,
            0,
            block.timestamp + 1 hours,
            nonce,
            signature
        );
    }

    function ask(AuthorizationLens.Query[] memory queries) public returns (bytes memory) {
        return address(new AuthorizationLens(queries)).code;
    }

    function one(AuthorizationLens.Query memory item) private returns (Facts memory) {
        AuthorizationLens.Query[] memory queries = new AuthorizationLens.Query[](1);
        queries[0] = item;
        return all(queries)[0];
    }

    function all(AuthorizationLens.Query[] memory queries) private returns (Facts[] memory) {
        return decode(ask(queries), queries.length);
    }

    function decode(bytes memory answer, uint256 count)
        private
        pure
        returns (Facts[] memory facts)
    {
        facts = new Facts[](count);
        uint256 at = 64;
        for (uint256 i; i < count; ++i) {
            Facts memory f = facts[i];
            f.balance = number(answer, at, 32);
            f.gas = uint64(number(answer, at + 32, 8));
            f.codeHash = bytes8(uint64(number(answer, at + 40, 8)));
            f.isToken = uint8(number(answer, at + 48, 1));
            f.isUsed = uint8(number(answer, at + 49, 1));
            f.isPayerListed = uint8(number(answer, at + 50, 1));
            f.isPayeeListed = uint8(number(answer, at + 51, 1));
            f.isPaused = uint8(number(answer, at + 52, 1));
            f.succeeded = uint8(number(answer, at + 53, 1));
            f.reason = new bytes(number(answer, at + 54, 2));
            at += 56;
            for (uint256 j; j < f.reason.length; ++j) f.reason[j] = answer[at++];
        }
        vm.assertEq(at, answer.length, "length of the answer");
    }

    function number(bytes memory data, uint256 at, uint256 size) private pure returns (uint256 n) {
        for (uint256 i; i < size; ++i) n = n << 8 | uint8(data[at + i]);
    }

    function assertFlags(Facts memory facts, uint8 used, uint8 from, uint8 to, uint8 paused)
        private
        pure
    {
        vm.assertEq(facts.isUsed, used, "used");
        vm.assertEq(facts.isPayerListed, from, "payer on the blacklist");
        vm.assertEq(facts.isPayeeListed, to, "payee on the blacklist");
        vm.assertEq(facts.isPaused, paused, "paused");
    }

    function assertRefused(Facts memory facts, bytes memory reason) private pure {
        vm.assertEq(facts.succeeded, NO, "trial");
        vm.assertEq(facts.reason, reason, "reason");
    }
}
